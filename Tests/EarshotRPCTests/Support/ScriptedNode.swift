import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import ChatCore
@testable import Earshot

/// A node that answers what a test has written down, and remembers what it was asked.
actor ScriptedNode: RPCNode {
    let status: NodeStatus
    let metrics = Samples.metrics
    private(set) var sent: [String] = []
    private var known: [Contact]
    private var refusal: ChatError?
    private var messages: [Message] = []
    private var feed = EventFeed()
    private var isHoldingPings = false
    private var heldPings: [CheckedContinuation<Void, Never>] = []
    private var pingWaiters: [CheckedContinuation<Void, Never>] = []
    private var subscriberCount = 0
    var passphraseChanges: [PassphraseChange] = []
    var isLocked = false
    var useCount = 0
    var erased: [ConversationID?] = []
    var revoked: [[UInt8]?] = []
    private var awaited: (count: Int, continuation: CheckedContinuation<Void, Never>)?

    init() throws {
        status = try Samples.status()
        known = [try Samples.contact()]
    }

    /// Everything that can be refused is, from here on.
    func refuse(with error: ChatError) { refusal = error }

    func keep(_ messages: [Message]) { self.messages = messages }

    func tell(_ event: ChatEvent) { feed.tell(event) }

    /// Waits until so many have subscribed.
    func subscribers(_ count: Int) async {
        if subscriberCount >= count { return }
        await withCheckedContinuation { awaited = (count, $0) }
    }

    private(set) var profile = Profile(emoji: "🦊")

    func setProfile(_ profile: Profile) throws(ChatError) {
        try check()
        self.profile = profile
    }

    func rename(to name: String) throws(ChatError) {
        try check()
        if name.isEmpty { throw ChatError(.badName, "A nickname is needed.") }
    }

    func contacts() -> [Contact] { known }

    func conversationID(of group: GroupID) -> ConversationID {
        rooms().contains { $0.id == group } ? .room(group) : .group(group)
    }

    func contact(named who: String) throws(ChatError) -> Contact {
        try check()
        guard let contact = known.first(where: { $0.name == who }) else { throw ChatError(.notFound, "Nobody.") }
        return contact
    }

    func safetyNumber(with peer: PeerID) throws(ChatError) -> String {
        try check()
        return Samples.number
    }

    func verify(_ peer: PeerID, number: String) throws(ChatError) -> TrustState {
        try check()
        return .verified
    }

    func verify(_ peer: PeerID, scanned code: IdentityCode) throws(ChatError) -> TrustState {
        try check()
        return code.id == peer ? .verified : .tofu
    }

    func trust(_ peer: PeerID, _ decision: TrustDecision) throws(ChatError) -> Contact {
        try check()
        guard let contact = known.first else { throw ChatError(.notFound, "Nobody.") }
        return contact
    }

    func conversations() throws(ChatError) -> [Conversation] {
        try check()
        return known.map {
            Conversation(
                id: .direct($0.id),
                title: $0.name,
                members: [$0.id],
                unreadCount: 2,
                last: messages.last,
                isRequest: false
            )
        }
    }

    func history(_ conversation: ConversationID, limit: Int, within span: HistorySpan) throws(ChatError) -> [Message] {
        try check()
        func index(_ edge: HistorySpan.Edge) -> Int? {
            switch edge {
            case .message(let id): messages.firstIndex { $0.id == id }
            case .moment(let moment): messages.firstIndex { $0.receivedTime >= moment }
            }
        }
        let rest = messages[..<(span.before.flatMap(index) ?? messages.count)]
        guard let after = span.after.flatMap(index) else { return Array(rest.suffix(limit)) }
        return Array(rest.dropFirst(after + 1).prefix(limit))
    }

    func checkHistory() throws(ChatError) -> HistoryReport {
        try check()
        return HistoryReport(signs: try Samples.signs(), recordCount: 9)
    }

    func acceptHistory() throws(ChatError) -> HistoryReport {
        try check()
        return HistoryReport(signs: [], recordCount: nil, deletedCount: 2)
    }

    private var retention = ConversationRetention(retention: .everything, isOwn: false)

    func retention(of conversation: ConversationID?) throws(ChatError) -> ConversationRetention {
        try check()
        return retention
    }

    func setRetention(_ retention: Retention?, of conversation: ConversationID?) throws(ChatError) {
        try check()
        self.retention = ConversationRetention(retention: retention ?? .everything, isOwn: conversation != nil)
    }

    func deleteHistory(of conversation: ConversationID) throws(ChatError) {
        try check()
        messages = []
    }

    private var draft = ""

    func draft(in conversation: ConversationID) throws(ChatError) -> String {
        try check()
        return draft
    }

    func setDraft(_ text: String, in conversation: ConversationID) throws(ChatError) {
        try check()
        draft = text
    }

    func pin(_ conversation: ConversationID, _ isPinned: Bool) throws(ChatError) -> Conversation {
        var pinned = try conversations()[0]
        pinned.isPinned = isPinned
        return pinned
    }

    func markRead(_ conversation: ConversationID, upTo last: MessageID?) throws(ChatError) { try check() }

    func ask(_ poll: Poll, _ options: MessageOptions, to conversation: ConversationID) throws(ChatError) -> Message {
        if let group = conversation.group { return try note("\(group): ask \(poll.question)") }
        return try note("ask \(poll.question) \(poll.options) \(poll.allowsSeveral) \(poll.allowsChange)", options)
    }

    func vote(_ options: [Int], in poll: MessageID) throws(ChatError) { _ = try note("vote \(options)") }

    func closePoll(_ poll: MessageID) throws(ChatError) { _ = try note("close") }

    func react(_ emoji: String, to message: MessageID, isOn: Bool?) throws(ChatError) {
        _ = try note("react \(emoji) \(isOn.map(String.init) ?? "other")")
    }

    func edit(_ message: MessageID, to text: String) throws(ChatError) { _ = try note("edit \(text)") }

    func delete(_ message: MessageID, forEveryone: Bool) throws(ChatError) { _ = try note("delete \(forEveryone)") }

    func setTimer(_ duration: Duration, of conversation: ConversationID) throws(ChatError) -> Message {
        try note("timer \(duration.components.seconds)")
    }

    func typing(_ isTyping: Bool, to conversation: ConversationID) throws(ChatError) {
        _ = try note("typing \(isTyping)")
    }

    private func note(_ text: String, _ options: MessageOptions = MessageOptions()) throws(ChatError) -> Message {
        try send(text, files: [], options, to: .direct(status.id))
    }

    func mute(_ conversation: ConversationID, until: Date) throws(ChatError) -> Conversation {
        guard var muted = try conversations().first else { throw ChatError(.notFound, "Nobody.") }
        muted.muteEnd = until > Date(timeIntervalSince1970: 0) ? Timestamp(until) : nil
        return muted
    }

    func fetchFile(_ message: MessageID, index: Int) throws(ChatError) {
        guard index == 0 else { throw ChatError(.notHere, "Nobody has it.") }
    }

    func cancelFile(_ message: MessageID, index: Int) throws(ChatError) {
        guard index == 0 else { throw ChatError(.notFound, "There is no such file.") }
    }

    func media(_ message: MessageID, index: Int, folder: URL?) throws(ChatError) -> URL {
        try check()
        return (folder ?? URL(filePath: "/home/media")).appending(path: "\(index).png")
    }

    func send(
        _ text: String,
        files: [FileDraft],
        _ options: MessageOptions,
        to conversation: ConversationID
    ) throws(ChatError) -> Message {
        try check()
        var parts = [text] + files.map { "\($0.url?.path ?? "") \($0.type) \($0.treatment)" }
        if let original = options.replyTo { parts.append("to \(original)") }
        if !options.mentions.isEmpty { parts.append("naming \(options.mentions)") }
        if let time = options.expiresAfter { parts.append("for \(time.components.seconds) s") }
        if let group = conversation.group { parts = ["\(group): \(text)"] + files.compactMap(\.url?.path) }
        sent.append(parts.joined(separator: " "))
        guard let message = try? Samples.message(text) else { throw ChatError(.notFound, "No sample.") }
        return message
    }

    func cancel(_ message: MessageID) throws(ChatError) {
        try check()
        sent.append("cancel \(message)")
    }

    func deliveries(of message: MessageID) throws(ChatError) -> [GroupDelivery] {
        try check()
        return known.map { GroupDelivery(member: $0.id, status: .failed(.notMember)) }
    }

    func groups() throws(ChatError) -> [Group] {
        try check()
        return [try group()]
    }

    func group(named who: String) throws(ChatError) -> Group {
        try check()
        let group = try group()
        guard [group.title, group.id.description].contains(who) else { throw ChatError(.notFound, "No group.") }
        return group
    }

    func createGroup(
        title: String,
        members: [PeerID],
        history: GroupPolicy.History
    ) throws(ChatError) -> Group {
        try changed("create \(title) \(members) \(history)")
    }

    func setHistory(_ history: GroupPolicy.History, of group: GroupID) throws(ChatError) -> Group {
        try changed("history \(history)")
    }

    func add(_ peers: [PeerID], to group: GroupID) throws(ChatError) -> Group { try changed("add \(peers)") }

    func remove(_ peer: PeerID, from group: GroupID) throws(ChatError) -> Group { try changed("remove \(peer)") }

    func rename(_ group: GroupID, to title: String) throws(ChatError) -> Group { try changed("rename \(title)") }

    func handOver(_ group: GroupID, to peer: PeerID) throws(ChatError) -> Group { try changed("handover \(peer)") }

    func leave(_ group: GroupID) throws(ChatError) -> Group { try changed("leave") }

    func answerInvitation(to group: GroupID, accepts: Bool) throws(ChatError) -> Group {
        try changed("answer \(accepts)")
    }

    /// Notes what was asked for.
    private func changed(_ what: String) throws(ChatError) -> Group {
        try check()
        sent.append(what)
        return try group()
    }

    private func group() throws(ChatError) -> Group {
        guard let group = try? Samples.group(of: known) else { throw ChatError(.notFound, "No sample.") }
        return group
    }

    func rooms() -> [Room] { [try? room()].compactMap(\.self) }

    func room(named who: String) throws(ChatError) -> Room {
        try check()
        let room = try room()
        guard [room.title, room.id.description].contains(who) else { throw ChatError(.notFound, "No room.") }
        return room
    }

    func visibleRooms() -> [VisibleRoom] { [] }

    func createRoom(_ plan: RoomPlan) throws(ChatError) -> Room {
        try room(
            "create \(plan.title) \(plan.expiresAfter) \(plan.admission) \(plan.maximumMembers) \(plan.isEphemeral)"
        )
    }

    func joinRoom(_ ticket: RoomTicket, as nickname: String?) throws(ChatError) -> Room {
        try room("join as \(nickname ?? "-")")
    }

    func answer(_ applicant: PeerID, at room: GroupID, admits: Bool) throws(ChatError) -> Room {
        try self.room("answer \(applicant) \(admits)")
    }

    func openDoor(of room: GroupID) throws(ChatError) -> Room { try self.room("open") }

    func shutDoor(of room: GroupID) throws(ChatError) -> Room { try self.room("shut") }

    func roomList() -> [RoomEntry] { leftRooms() }

    func leftRooms() -> [RoomEntry] { [] }

    func leftRoom(named who: String) throws(ChatError) -> RoomEntry { throw ChatError(.notFound, "No room.") }

    func importRooms(_ list: [RoomEntry]) throws(ChatError) -> [RoomEntry] {
        try check()
        return list
    }

    func leaveRoom(_ room: GroupID) throws(ChatError) { _ = try self.room("leave room") }

    /// Notes what was asked for.
    private func room(_ what: String) throws(ChatError) -> Room {
        try check()
        sent.append(what)
        return try room()
    }

    private func room() throws(ChatError) -> Room {
        guard let room = try? Samples.room(of: known) else { throw ChatError(.notFound, "No sample.") }
        return room
    }

    /// Lets nobody answer pings before `answerPings()`.
    func holdPings() { isHoldingPings = true }

    /// Waits until so many pings are held.
    func pings(_ count: Int) async {
        while heldPings.count < count { await withCheckedContinuation { pingWaiters.append($0) } }
    }

    func answerPings() {
        isHoldingPings = false
        for ping in heldPings { ping.resume() }
        heldPings = []
    }

    func ping(_ peer: PeerID, isLive: Bool) async throws(ChatError) -> PingAnswer {
        try check()
        if isHoldingPings {
            await withCheckedContinuation { ping in
                heldPings.append(ping)
                for waiter in pingWaiters { waiter.resume() }
                pingWaiters = []
            }
        }
        return PingAnswer(hops: 3, roundTrip: .microseconds(isLive ? 234 : 1_234))
    }

    func map() -> MeshMap { Samples.map(of: known) }

    func events() -> AsyncStream<ChatEvent> {
        subscriberCount += 1
        if let awaited, subscriberCount >= awaited.count {
            self.awaited = nil
            awaited.continuation.resume()
        }
        return feed.subscribe()
    }

    func check() throws(ChatError) {
        if let refusal { throw refusal }
    }
}
