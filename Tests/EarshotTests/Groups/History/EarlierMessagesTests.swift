import ChatCrypto
import MeshCore
import SwiftProtobuf
import Testing

@testable import ChatCore

@Suite("Earlier messages without an engine")
struct EarlierMessagesTests {
    /// A group, as one member sees it.
    ///
    /// Its new members may receive everything.
    private struct Group: EarlierMessageSources {
        let owner = Identity().publicIdentity
        let member = Identity().publicIdentity
        let newMember = Identity().publicIdentity
        let session: GroupSession
        var ownID: PeerID
        var time = ChatTime(wall: 1_000, monotonic: .zero)
        var blocked: Set<PeerID> = []

        init() throws {
            let policy = try #require(GroupPolicy(history: .all, memberLimit: 9, life: 0, isEphemeral: false))
            let founder = GroupMember(identity: owner, nickname: nil)
            var session = try GroupSession.create(as: founder, title: GroupTitle("Trees"), policy: policy, at: 1)
                .session
            for identity in [member, newMember] {
                _ = try session.perform([.add(GroupMember(identity: identity, nickname: nil))], at: 1)
            }
            self.session = session
            ownID = newMember.id
        }

        var id: GroupID { session.id }

        /// Returns the group at a later time.
        func later(by duration: Duration) -> Group {
            var later = self
            later.time = ChatTime(wall: time.wall, monotonic: time.monotonic.advanced(by: duration))
            return later
        }

        func roster(of group: GroupID) -> GroupRoster? {
            group == id ? GroupRoster(log: session.log, past: GroupPast(session.log.policy, at: 1)) : nil
        }
        func recipients(of group: GroupID) -> [PublicIdentity] {
            session.log.members.map(\.identity).filter { $0.id != ownID }
        }
        func conversationID(of group: GroupID) -> ConversationID { .group(group) }
        func maySend(to peer: PeerID) -> Bool { !blocked.contains(peer) }
        func mayReceive(from peer: PeerID) -> Bool { !blocked.contains(peer) }
        func inFlightCount(to peer: PeerID) -> Int { 0 }
    }

    /// A history of messages.
    private struct History: Snapshot {
        var rows: [[UInt8]: StoredRow] = [:]

        mutating func put(_ message: ProtoMessageRecord, at position: UInt64) throws {
            let row = StoredRow(sequence: position, plaintext: try message.serializedBytes())
            rows[[UInt8](message.id)] = row
        }

        func row(_ table: Table, _ name: [UInt8]) -> StoredRow? { rows[name] }
        func rows(_ table: Table) -> [[UInt8]] { [] }
        func messages(of conversation: ConversationID, before position: UInt64?, limit: Int) -> [StoredRow] {
            let newestFirst = rows.values.sorted { $0.sequence > $1.sequence }
            return Array(newestFirst.filter { $0.sequence < position ?? .max }.prefix(limit))
        }
        func messages(of conversation: ConversationID, from position: UInt64, limit: Int) -> [StoredRow] { [] }
        func highestPosition(of conversation: ConversationID) -> UInt64 { 0 }
        func messageCount(of conversation: ConversationID, before position: UInt64?) -> Int { 0 }
        func prefix(ofBlob file: String, count: Int) -> [UInt8] { [] }
    }

    /// Returns a record of a message that another member attributes to the author.
    private static func claim(_ text: String, by author: PeerID) -> HistoryRecord {
        let content = MessageContent.Decoded(.text(.init(text)), sentAt: 1, order: 1)
        let salt = [UInt8](repeating: 1, count: 16)
        return HistoryRecord(author: author, content: MessageContent.message(content, salt: salt))
    }

    /// Makes the requests of the new member, which has asked the owner.
    private static func asking(in group: Group) -> EarlierMessages {
        var earlier = EarlierMessages()
        earlier.begin(in: group.id, above: 0, among: group)
        earlier.ask(among: group.later(by: EarlierMessageLimits.askDelay))
        return earlier
    }

    /// Takes a page and writes it into the history.
    ///
    /// Returns the positions of the messages that are written, in order.
    private static func take(
        _ page: HistoryPage,
        from attester: PeerID,
        in group: Group,
        _ earlier: inout EarlierMessages,
        _ history: inout History
    ) throws -> [UInt64?] {
        var positions: [UInt64?] = []
        _ = earlier.takeEffects()
        guard var attested = earlier.receive(page, of: group.id, from: attester, among: group) else { return [] }
        for record in attested.records {
            try earlier.take(record, of: &attested, among: group, in: history)
            for effect in earlier.takeEffects() {
                switch effect {
                case .insert(let message, _, let position):
                    positions.append(position)
                    try history.put(message, at: position ?? 1)
                case .put(let message, _, let position):
                    positions.append(position)
                    try history.put(message, at: position)
                default: Issue.record("\(effect)")
                }
            }
        }
        earlier.finish(attested)
        return positions
    }

    @Test("A request goes to the member who came first, and is withdrawn when another takes its place")
    func requests() throws {
        let group = try Group()
        var earlier = Self.asking(in: group)
        guard case .ask(.newest, group.id, group.owner)? = earlier.takeEffects().last else {
            Issue.record("nobody is asked")
            return
        }
        let request = Numbered.message(1)
        earlier.noteRequest(request, of: group.id)
        let pause = EarlierMessageLimits.askDelay + EarlierMessageLimits.firstPause
        #expect(earlier.nextDeadline == MeshInstant.zero.advanced(by: pause))
        let stored = earlier.takePullChanges().first?.record
        #expect(stored?.request == .init(request.bytes))
        earlier.ask(among: group.later(by: pause))
        guard case .withdraw(request)? = earlier.takeEffects().first else {
            Issue.record("the earlier request stays")
            return
        }
        earlier.noteRequest(request, of: group.id)
        let withdrawn = earlier.end(group.id)
        let changes = earlier.takePullChanges()
        #expect(withdrawn == request && earlier.nextDeadline == .distantFuture)
        #expect(changes.map(\.name) == [group.id.bytes] && changes.first?.record == nil)
    }

    @Test("Records in this node's own name, by strangers and by blocked members are refused and counted")
    func refusals() throws {
        var group = try Group()
        group.blocked = [group.member.id]
        var (earlier, history) = (Self.asking(in: group), History())
        let authors = [group.newMember.id, Numbered.peer(9), group.member.id, group.owner.id]
        let page = HistoryPage(from: .newest, next: nil, records: authors.map { Self.claim("made up", by: $0) })
        let positions = try Self.take(page, from: group.owner.id, in: group, &earlier, &history)
        #expect(earlier.refusedCount == 3)
        // The two records by members took positions before they were refused.
        #expect(positions == [EarlierMessageLimits.placeCount - 2])
        // The new member has not asked this member.
        let other = HistoryPage(from: .newest, next: nil, records: [Self.claim("other", by: group.owner.id)])
        let others = try Self.take(other, from: group.member.id, in: group, &earlier, &history)
        #expect(others == [] && earlier.refusedCount == 3 && history.rows.count == 1)
    }

    @Test("A record may be about the message before it in the same page, and tells of that message once")
    func records() throws {
        let group = try Group()
        var (earlier, history) = (Self.asking(in: group), History())
        let message = Self.claim("first", by: group.member.id)
        let id = MessageContent.id(of: message.content, from: message.author, to: group.id)
        let edit = ChangeOperation(
            id: Numbered.message(2),
            author: group.member.id,
            target: id,
            sentAt: 2,
            .edit("second", mentions: [], number: 1)
        )
        let change = HistoryRecord(author: edit.author, content: MessageContent.change(edit), change: edit.id)
        let page = HistoryPage(from: .newest, next: nil, records: [change, message, change, message])
        let positions = try Self.take(page, from: group.owner.id, in: group, &earlier, &history)
        // The message of the first change has not come yet, and the last message adds nothing new.
        #expect(
            positions == [EarlierMessageLimits.placeCount, EarlierMessageLimits.placeCount] && earlier.refusedCount == 1
        )
        let effects = earlier.takeEffects()
        guard case .notify(id, isNew: true)? = effects.first, case .progress(let progress, _)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.count == 2 && progress.messageCount == 1 && !progress.isComplete)
    }

    @Test("A new member gets so many pages and no more, whatever it asks for")
    func bound() throws {
        var group = try Group()
        group.ownID = group.owner.id
        var history = History()
        var message = ProtoMessageRecord()
        message.id = .init(Numbered.message(3).bytes)
        message.sender = .init(group.owner.id.bytes)
        message.conversation = .init(ConversationID.group(group.id).bytes)
        message.content = .init(Self.claim("old", by: group.owner.id).content)
        try history.put(message, at: 7)
        let newMember = HistoryAnswers.NewMember(group: group.id, member: group.newMember.id)
        let joinEpoch = try #require(group.session.log.joinEpoch(of: newMember.member))
        var earlier = EarlierMessages()
        let limit = EarlierMessageLimits.answerPageCount
        let answer = HistoryAnswers.Answer(joinEpoch: joinEpoch, answeredAt: 1, pageCount: limit - 1)
        earlier.restore(answer.record(of: newMember))
        earlier.keepRequest(.newest, from: newMember, among: group)
        let due = earlier.takeDueRequest(at: .zero)
        let request = try #require(due)
        for _ in 0..<2 { try earlier.answer(request.newMember, from: request.cursor, among: group, in: history) }
        let effects = earlier.takeEffects()
        guard case .give(let page, group.id, group.newMember)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.count == 1 && page.texts == ["old"] && earlier.answers[newMember]?.pageCount == limit)
        let stored = earlier.takeAnswerChanges().first?.record
        #expect(stored?.pages == limit)
        earlier.keepRequest(.newest, from: newMember, among: group)
        #expect(earlier.answers.waitingCount == 0)
    }
}
