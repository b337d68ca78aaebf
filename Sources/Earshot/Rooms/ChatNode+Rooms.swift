public import ChatCore
public import ChatCrypto
import MeshCore

extension ChatNode {
    /// Returns the rooms that this node is in, or waits for, in the order in which they were entered.
    public func rooms() async -> [Room] {
        var views: [Room] = []
        for account in registry.accounts {
            if let room = await account.roomView() { views.append(room) }
        }
        return views
    }

    /// Returns the room that a user means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func room(named who: String) async throws(ChatError) -> Room {
        try Self.only(await rooms(), named: who) { $0.title }
    }

    static func only<Item: Identifiable>(
        _ all: [Item],
        named who: String,
        title: (Item) -> String
    ) throws(ChatError) -> Item where Item.ID == GroupID {
        let fits = all.named(who, id: { $0.id.description }, name: title)
        guard let first = fits.first else {
            throw ChatError(.notFound, "No room is called '\(who)'. Run 'room list' to see your rooms.")
        }
        guard fits.count == 1 else {
            let ids = fits.map { String($0.id.description.prefix(8)) }.joined(separator: ", ")
            throw ChatError(.ambiguous, "Several rooms are called '\(who)': use an id, \(ids).")
        }
        return first
    }

    /// Returns the rooms that are heard on the mesh, except those that this node is in; members and titles are not
    /// revealed.
    public func visibleRooms() async -> [VisibleRoom] {
        await beacons().map(VisibleRoom.init).sorted { ($0.door, $0.id) < ($1.door, $1.id) }
    }

    /// Creates a room that this node hosts, with an identity of its own that is linked to no other.
    ///
    /// - Parameter plan: The settings of the room.
    /// - Returns: The room, with the code for other users.
    /// - Throws: `badName`, `badDuration`, `badCount`, `limited`, or the store's error.
    @discardableResult
    public func createRoom(_ plan: RoomPlan) async throws(ChatError) -> Room {
        _ = try plan.policy()
        let folder = plan.isEphemeral ? nil : home.map { RoomFolder(in: $0.directory) }
        let number = try await openRoom(as: plan.nickname, in: folder)
        do throws(ChatError) {
            guard let account = registry[number]?.account else { throw Self.roomOver }
            let room = try await account.foundRoom(plan)
            registry[number]?.id = room.id
            try await saveRoom(number)
            if isStarted { try await account.start() }
            return room
        } catch {
            await destroyRoom(number)
            throw error
        }
    }

    /// Joins a room, with an identity that is made for it.
    ///
    /// - Parameters:
    ///   - ticket: A code, an invite, or the id of a room for everybody.
    ///   - nickname: The user's nickname in the room; nil for the usual one.
    /// - Returns: The room; `waiting` if its host's user has to decide first.
    /// - Throws: `wrongCode`, `doorShut`, `noAnswer`, `notFound` if no such room is heard, `turnedDown`, `limited` if
    ///   it is full, `badName`, `meshUnavailable` before `start()`, or the store's error.
    @discardableResult
    public func joinRoom(_ ticket: RoomTicket, as nickname: String? = nil) async throws(ChatError) -> Room {
        try checkRunning()
        guard isStarted else {
            throw ChatError(.meshUnavailable, "This node has not joined the mesh. Start it first.")
        }
        let number = try await openRoom(as: nickname, in: nil)
        // The result may come before this function waits for it.
        let (ends, continuation) = AsyncStream.makeStream(of: ChatError?.self, bufferingPolicy: .bufferingNewest(1))
        registry[number]?.entering = continuation
        let heard = await beacons()
        do throws(ChatError) {
            guard let account = registry[number]?.account else { throw Self.roomOver }
            try await account.start()
            try await account.enterRoom(ticket, beacons: heard)
        } catch {
            await destroyRoom(number)
            throw error
        }
        for await end in ends {
            if let end { throw end }
            break
        }
        guard let room = await registry[number]?.account.roomView() else { throw Self.roomOver }
        return room
    }

    /// Admits an applicant to a room that this node hosts, or rejects them.
    ///
    /// - Parameters:
    ///   - applicant: The applicant.
    ///   - room: The room.
    ///   - admits: Whether to admit them.
    /// - Returns: The room now.
    /// - Throws: `notFound`, `notOwner`, `limited` if it is full, or the store's error.
    @discardableResult
    public func answer(
        _ applicant: PeerID,
        at room: GroupID,
        admits: Bool
    ) async throws(ChatError) -> Room {
        try await atDoor(of: room) { engine in
            try engine.answerApplicant(applicant, admits: admits)
        }
    }

    /// Opens admission to a room that this node hosts, under a new code; the former code becomes invalid.
    ///
    /// - Parameter room: The room.
    /// - Returns: The room with its code.
    /// - Throws: `notFound`, `notOwner`, or the store's error.
    @discardableResult
    public func openDoor(of room: GroupID) async throws(ChatError) -> Room {
        try await atDoor(of: room) { engine in try engine.openDoor() }
    }

    /// Closes admission to a room that this node hosts: code and invite become invalid.
    ///
    /// - Parameter room: The room.
    /// - Returns: The room.
    /// - Throws: `notFound`, `notOwner`, or the store's error.
    @discardableResult
    public func shutDoor(of room: GroupID) async throws(ChatError) -> Room {
        try await atDoor(of: room) { engine in try engine.shutDoor() }
    }

    /// Leaves a room, all of which is destroyed on this node.
    ///
    /// If this node hosts it, the room ends for everybody. A room of an imported list is removed from the list.
    ///
    /// - Parameter room: The room.
    /// - Throws: `notFound`, or the store's error.
    public func leaveRoom(_ room: GroupID) async throws(ChatError) {
        try checkRunning()
        guard let number = registry.number(of: room), let account = registry[number]?.account else {
            guard try await unlist(room) else { throw Self.noRoom }
            return
        }
        try await account.sayFarewell()
        await destroyRoom(number)
        feed.tell(.room(room, .closed))
    }

    private func atDoor(
        of room: GroupID,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> Room {
        try await account(of: .room(room)).changeRoom(body)
    }

    static let isRoom = ChatError(.notFound, "This is a room. Leave it with 'room leave'.")
    static let noRoom = ChatError(.notFound, "No room has this id.")
    static let roomOver = ChatError(.expired, "The room has ended.")
}
