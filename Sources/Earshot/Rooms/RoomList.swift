public import ChatCore
public import ChatCrypto

/// The rooms of a node: those that it is in or waits for, those that are discovered, and a list of others.
public struct RoomList: Sendable {
    let node: ChatNode

    /// Returns the rooms that this node is in, or waits for, in the order in which they were entered.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func all() async throws(ChatError) -> [Room] { try await node.roomViews() }

    /// Returns a room; nil if this node is not in it.
    public subscript(_ id: GroupID) -> Room? {
        get async throws(ChatError) { try await all().first { $0.id == id } }
    }

    /// The rooms that this node is in, or waits for, now and after each change.
    public var updates: Updates<[Room]> {
        Updates(
            node.feed,
            after: { event in
                if case .room = event { true } else { false }
            },
            read: { [self] () async throws(ChatError) in try await all() }
        )
    }

    /// Returns the rooms that are discovered on the mesh, except those that this node is in; members and titles are not
    /// revealed.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func nearby() async throws(ChatError) -> [VisibleRoom] {
        try await node.checkRunning()
        return await node.beacons().map(VisibleRoom.init).sorted { ($0.door, $0.id) < ($1.door, $1.id) }
    }

    /// Creates a room that this node hosts, with an identity of its own that is linked to no other.
    ///
    /// - Parameter plan: The settings of the room.
    /// - Returns: The room, with the code for other users.
    /// - Throws: `badName`, `badDuration`, `badCount`, `limited`, or the store's error.
    @discardableResult
    public func create(_ plan: RoomPlan) async throws(ChatError) -> Room { try await node.createRoom(plan) }

    /// Joins a room, with an identity that is made for it.
    ///
    /// - Parameters:
    ///   - credential: A code, an invite, or the id of a room for everybody.
    ///   - nickname: The user's nickname in the room; nil for the usual one.
    /// - Returns: The room; `waiting` if its host's user has to decide first.
    /// - Throws: `wrongCode`, `admissionClosed`, `noAnswer`, `notFound` if no such room is heard, `rejected`, `limited` if
    ///   it is full, `badName`, `meshUnavailable` before `start()`, or the store's error.
    @discardableResult
    public func join(_ credential: JoinCredential, as nickname: String? = nil) async throws(ChatError) -> Room {
        try await node.joinRoom(credential, as: nickname)
    }

    /// Leaves a room, all of which is destroyed on this node.
    ///
    /// If this node hosts it, the room ends for everybody. A room of an imported list is removed from the list.
    ///
    /// - Parameter room: The room.
    /// - Throws: `notFound`, or the store's error.
    public func leave(_ room: GroupID) async throws(ChatError) { try await node.leaveRoom(room) }

    // MARK: - Admission

    /// Admits an applicant to a room that this node hosts, or rejects them.
    ///
    /// - Parameters:
    ///   - applicant: The applicant.
    ///   - room: The room.
    ///   - admits: Whether to admit them.
    /// - Returns: The room now.
    /// - Throws: `notFound`, `notOwner`, `limited` if it is full, or the store's error.
    @discardableResult
    public func answer(_ applicant: PeerID, at room: GroupID, admits: Bool) async throws(ChatError) -> Room {
        try await change(room) { engine in try engine.answerApplicant(applicant, admits: admits) }
    }

    /// Opens admission to a room that this node hosts, under a new code, or closes it; the former code and invite become
    /// invalid.
    ///
    /// - Parameters:
    ///   - isOpen: Whether to open it.
    ///   - room: The room.
    /// - Returns: The room, with its code if admission is open.
    /// - Throws: `notFound`, `notOwner`, or the store's error.
    @discardableResult
    public func setAdmission(isOpen: Bool, of room: GroupID) async throws(ChatError) -> Room {
        try await change(room) { engine in try isOpen ? engine.openAdmission() : engine.closeAdmission() }
    }

    private func change(
        _ room: GroupID,
        _ body: @Sendable (inout ChatEngine) throws -> Void
    ) async throws(ChatError) -> Room {
        try await node.account(of: .room(room)).changeRoom(body)
    }

    // MARK: - The list

    /// Returns a list of rooms to be kept elsewhere: those that this node is in, and those of imported lists, with
    /// names, rules and ends, never keys or messages; ephemeral rooms are left out.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func list() async throws(ChatError) -> [RoomEntry] {
        try await all().compactMap { RoomEntry($0) } + former()
    }

    /// Returns the rooms of imported lists that this node is not in, by title.
    ///
    /// Joining one takes a code, as for any other room.
    ///
    /// - Throws: `locked`, `suspended` or `stopped`.
    public func former() async throws(ChatError) -> [RoomEntry] { try await node.formerRooms() }

    /// Adds rooms that this node is not in to the list.
    ///
    /// - Parameter list: The entries of another list, or of an earlier one of this node; rooms that are over or known
    ///   are skipped.
    /// - Returns: The added entries.
    /// - Throws: `badDuration` for a room that would last longer than any room may, `limited`, or the store's error;
    ///   then nothing has been added.
    @discardableResult
    public func importList(_ list: [RoomEntry]) async throws(ChatError) -> [RoomEntry] {
        try await node.importRooms(list)
    }

    // MARK: - Finding by text

    /// Returns the room that a user means by its title, its id or the first eight or more digits of it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func named(_ who: String) async throws(ChatError) -> Room {
        try Self.only(await all(), named: who) { $0.title }
    }

    /// Returns the room of an imported list that a user means by its title, its id or the first eight or more digits of
    /// it.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous`.
    public func formerNamed(_ who: String) async throws(ChatError) -> RoomEntry {
        try Self.only(await former(), named: who) { $0.title }
    }

    private static func only<Item: Identifiable>(
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
}
