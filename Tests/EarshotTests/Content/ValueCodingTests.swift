import Earshot
import Foundation
import Testing

@Suite("Values that programs show")
struct ValueCodingTests {
    /// Codes a value and compares the result.
    private static func check<Value: Codable & Hashable & Sendable>(_ values: Value...) throws {
        let data = try JSONEncoder().encode(values)
        #expect(try JSONDecoder().decode([Value].self, from: data) == values)
    }

    /// Codes a value with an identity and compares the result.
    private static func check<Value: Codable & Hashable & Sendable & Identifiable, ID: Codable & Hashable>(
        _ value: Value,
        id: ID
    ) throws where Value.ID == ID {
        try check(value)
        #expect(value.id == id)
    }

    private let alice: PublicIdentity
    private let bob: PublicIdentity
    private let group: GroupID
    private let message: Message

    init() throws {
        alice = try #require(Previews.alice)
        bob = try #require(Previews.bob)
        group = try #require(Previews.group)
        message = try #require(Previews.message(5, in: .direct(bob.id), by: bob.id))
    }

    @Test("A message needs few parts, and its kind follows from them")
    func messageDefaults() throws {
        #expect(message.kind == .text && message.status == .delivered && !message.isOutgoing)
        #expect(message.receivedTime == message.sentTime && message.receivedAt == Previews.time.date)
        func kind(
            _ text: String = "",
            files: [MessageFile] = [],
            poll: PollState? = nil,
            line: SystemLine? = nil
        ) -> MessageKind {
            Message(
                id: message.id,
                conversation: message.conversation,
                sender: bob.id,
                senderName: "Bob",
                text: text,
                files: files,
                sentTime: Previews.time,
                poll: poll,
                systemLine: line
            ).kind
        }
        #expect(kind("👍") == .emoji && kind(line: .created) == .system)
        #expect(kind(poll: PollState(poll: Poll("?", options: ["a", "b"]))) == .poll)
        #expect(kind(files: [MessageFile(name: "a.txt", type: "text/plain", byteCount: 1)]) == .file)
    }

    /// A message with all its parts.
    private func fullMessage() throws -> Message {
        let image = try #require(ImageFacts(width: 3, height: 2))
        let voice = try #require(VoiceFacts(milliseconds: 1_000, peaks: [UInt8](repeating: 7, count: 64), isCut: true))
        let files = [
            MessageFile(name: "a.png", type: "image/png", byteCount: 9, media: .image(image)),
            MessageFile(name: "b", type: "audio/ogg", byteCount: .max, isComplete: false, media: .voice(voice)),
        ]
        let question = Poll("?", options: ["a", "b"])
        let poll = PollState(poll: question, votes: [[bob.id], []], isClosed: true, ownVotes: [1])
        let original = Reply.Original(sender: bob.id, senderName: "Bob", text: "?")
        return Message(
            id: message.id,
            conversation: .room(group),
            sender: alice.id,
            senderName: "Alice",
            text: "Hello @Bob",
            files: files,
            sentTime: Previews.time,
            receivedTime: .latest,
            isOutgoing: true,
            isRequest: true,
            status: .failed(.expired),
            kind: .voice,
            poll: poll,
            systemLine: .added(bob.id, name: "Bob"),
            replyTo: Reply(id: message.id, original: original),
            mentions: [Mention(bob.id, at: 6..<10)],
            mentionsMe: true,
            reactions: [Reaction(emoji: "👍", members: [alice.id], isMine: true)],
            earlierTexts: [EarlierText(text: "Hi", sentTime: Previews.time)],
            isDeleted: true,
            expiryTime: .latest,
            attestedBy: [Attester(id: bob.id, name: "Bob")],
            isImported: true
        )
    }

    @Test("A message with all its parts is the same after coding")
    func messages() throws {
        let full = try fullMessage()
        try Self.check(full, id: message.id)
        try Self.check(message, id: message.id)
        try Self.check(full.reactions[0], id: "👍")
        try Self.check(full.attestedBy[0], id: bob.id)
        try Self.check(Reply(id: message.id), id: message.id)
        try Self.check(
            SystemLine.timer(nil),
            .timer(.seconds(60)),
            .created,
            .removed(bob.id, name: "Bob"),
            .left,
            .renamed("Forest"),
            .ownershipTransferred(to: bob.id, name: "")
        )
        try Self.check(DeliveryStatus.queued, .sent, .carried, .delivered, .read, .failed(.notMember))
        try Self.check(FileFailure.gone, .noRoom)
        try Self.check(HistoryWindow(messages: [full, message], countBefore: 1, countAfter: 2))
        try Self.check(HistorySpan(after: .message(message.id), before: .moment(.latest)))
    }

    @Test("Contacts, conversations, groups and rooms are the same after coding")
    func people() throws {
        let contact = Contact(
            id: bob.id,
            name: "Bob",
            trust: .changed,
            identity: bob,
            isReachable: true,
            lastSeenTime: Previews.time,
            hops: 2,
            roundTrip: .milliseconds(5),
            successor: alice.id,
            claimants: [alice.id],
            profile: Profile(emoji: "🐻", colour: .teal),
            hubs: ["tls://hub.example.org"]
        )
        try Self.check(contact, id: bob.id)
        try Self.check(Contact(id: bob.id, name: "Bob", identity: bob), id: bob.id)
        let member = ChatGroup.Member(id: alice.id, name: "Alice", isLeaving: true)
        try Self.check(member, id: alice.id)
        let full = ChatGroup(id: group, title: "Forest", members: [member], owner: alice.id, history: .last(5))
        try Self.check(full, id: group)
        let conversation = Conversation(
            id: .group(group),
            title: "Forest",
            last: message,
            typing: [bob.id],
            draft: "Hel",
            timer: .seconds(60)
        )
        try Self.check(conversation, id: .group(group))
        try Self.check(RecipientDelivery(recipient: bob.id, status: .carried), id: bob.id)
        let applicant = Room.Applicant(id: bob.id, name: "Bob")
        try Self.check(applicant, id: bob.id)
        let admission = Room.AdmissionState(admission: .approval, code: "47-482913", waiting: [applicant])
        let room = Room(id: group, title: "Trees", ownID: alice.id, nickname: "Owl", admissionState: admission)
        try Self.check(room, id: group)
        try Self.check(VisibleRoom(id: group, door: 47, remaining: .seconds(9)), id: group)
        try Self.check(RoomPlan(title: "Trees", admission: .open, history: .all))
        let progress = HistoryProgress(attester: bob.id, messageCount: 1, isComplete: false)
        try Self.check(GroupEvent.added(bob.id), .history(progress))
        try Self.check(RoomEvent.waiting(nil, name: ""), .changed(.renamed("Forest")), .expired)
        try Self.check(TrustEvent.rotated(bob.id, to: alice.id), .newPeer(bob.id))
        try Self.check(TrustState.tofu, .revoked)
        try Self.check(GroupPolicy.standard)
    }

    @Test("Reports and settings are the same after coding")
    func reports() throws {
        let sign = HistoryReport.Sign(kind: .rolledBack, conversation: .room(group), expected: 7, found: 5)
        try Self.check(HistoryReport(signs: [sign], recordCount: 3))
        try Self.check(PingAnswer(hops: 2, roundTrip: .microseconds(7)))
        try Self.check(EnvelopeReport(id: "00ff", kind: 3, byteCount: 1_024), id: "00ff")
        try Self.check(Retention(age: .seconds(60), messageCount: 5), .everything)
        try Self.check(ConversationRetention(retention: .everything, isOwn: true))
        try Self.check(RotationPlan(contactCount: 1, following: ["Forest"]))
        try Self.check(Timestamp(clamping: 0), .latest)
        try Self.check(NodeStatus(id: alice.id, name: "Alice", fingerprint: "", uptime: .seconds(5)), id: alice.id)
        let link = MeshMap.Link(node: "00", address: "10.0.0.1:7", roundTrip: .milliseconds(3), peer: bob.id)
        let neighbour = MeshMap.Neighbour(node: "01", address: "10.0.0.2:7", isLinked: true)
        try Self.check(link, id: "00")
        try Self.check(MeshMap(node: "02", links: [link], neighbours: [neighbour]))
        let hit = SearchHit(message: message, places: [0..<5])
        try Self.check(hit, id: message.id)
        try Self.check(SearchResult(hits: [hit], progress: SearchProgress(indexedCount: 1, isComplete: false)))
        try Self.check(SearchQuery("hello", limit: 3))
        try Self.check(ExportReport(messageCount: 3), ExportReport())
        let broken = ImportReport.Broken(line: 7, reason: "malformed")
        try Self.check(broken, id: 7)
        try Self.check(ImportReport(addedCount: 3, contacts: [], broken: [broken]))
        let count = RescueReport.Count(savedCount: 1, missingCount: 2)
        let conversation = RescueReport.Conversation(id: .direct(bob.id), title: "Bob", count: count)
        let table = RescueReport.Table(name: "messages", count: count)
        try Self.check(table, id: "messages")
        try Self.check(RescueReport(tables: [table], conversations: [conversation], roomCount: 1))
    }

    @Test("Notices and entries of rooms are the same after coding")
    func notices() throws {
        let topic = NoticeTopic.conversation(.direct(bob.id))
        let notice = Notice(
            topic: topic,
            kind: .direct,
            title: "Bob",
            conversation: .direct(bob.id),
            message: message.id
        )
        try Self.check(notice, id: topic)
        try Self.check(NoticeChange.show(notice), .withdraw(.requests))
        try Self.check(NoticeSettings(kinds: [.mention], detail: .names))
        let facts = NoticeFacts(
            message: message.id,
            conversation: .group(group),
            kind: .group,
            senderName: "Bob",
            text: "Hello",
            fileKind: .picture,
            receivedAt: Date(timeIntervalSince1970: 1_700_000_000)
        )
        try Self.check(facts, id: message.id)
        let entry = try RoomEntry(id: group, title: "Trees", nickname: "Owl", admission: .code, maximumMembers: 5)
        try Self.check(entry, id: group)
    }

    @Test("What the limits forbid is not decoded either")
    func limits() throws {
        func refuses<Value: Decodable>(_ type: Value.Type, _ json: String) {
            #expect(throws: DecodingError.self, "\(type): \(json)") {
                try JSONDecoder().decode(type, from: Data(json.utf8))
            }
        }
        refuses(ImageFacts.self, #"{"width":0,"height":1}"#)
        refuses(ImageFacts.self, #"{"width":9223372036854775807,"height":9223372036854775807}"#)
        refuses(VoiceFacts.self, #"{"milliseconds":1,"peaks":[1],"isCut":false}"#)
        refuses(VoiceFacts.self, #"{"milliseconds":-1,"peaks":[],"isCut":false}"#)
        refuses(Mention.self, #"{"peer":"\#(bob.id)","place":[4,2]}"#)
        refuses(PublicIdentity.self, #""""#)
        refuses(PublicIdentity.self, #""\#(bob.id)""#)
        refuses(PublicIdentity.self, "[1,2]")
        refuses(Timestamp.self, "-1")
        refuses(TrustState.self, #""sure""#)
        refuses(RoomAdmission.self, "9")
        refuses(GroupPolicy.self, #"{"history":{"none":{}},"memberLimit":0,"life":0,"isEphemeral":false}"#)
        refuses(GroupPolicy.self, #"{"history":{"last":{"_0":0}},"memberLimit":5,"life":0,"isEphemeral":false}"#)
        refuses(RoomEntry.self, #"{"id":"\#(group)","title":"","nickname":"Owl","maximumMembers":5}"#)
        refuses(RoomEntry.self, #"{"id":"\#(group)","title":"Trees","nickname":"Owl","maximumMembers":1}"#)
        let late = try JSONDecoder().decode(Timestamp.self, from: Data("18446744073709551615".utf8))
        #expect(late == .latest)
    }
}
