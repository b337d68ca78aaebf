package import ChatCrypto
package import Earshot

/// What the methods need of a node for rooms.
package protocol RPCRoomNode: Sendable {
    /// The rooms this node is in.
    func rooms() async -> [Room]
    /// The one room that a title, an id or the beginning of an id fits.
    func room(named who: String) async throws(ChatError) -> Room
    /// The rooms that are heard on the mesh.
    func visibleRooms() async -> [VisibleRoom]
    /// Makes a room.
    func createRoom(_ plan: RoomPlan) async throws(ChatError) -> Room
    /// Joins a room.
    func joinRoom(_ ticket: RoomTicket, as nickname: String?) async throws(ChatError) -> Room
    /// Lets somebody in who waits, or turns them down.
    func answer(_ applicant: PeerID, at room: GroupID, admits: Bool) async throws(ChatError) -> Room
    /// Opens the door under a new code.
    func openDoor(of room: GroupID) async throws(ChatError) -> Room
    /// Makes code and invite worthless.
    func shutDoor(of room: GroupID) async throws(ChatError) -> Room
    /// The rooms as a list to keep elsewhere.
    func roomList() async -> [RoomEntry]
    /// The rooms of imported lists.
    func leftRooms() async -> [RoomEntry]
    /// The one of these that a title, an id or the beginning of an id fits.
    func leftRoom(named who: String) async throws(ChatError) -> RoomEntry
    /// Lists rooms; answers those that are new in the list.
    func importRooms(_ list: [RoomEntry]) async throws(ChatError) -> [RoomEntry]
    /// Leaves a room, of which nothing stays.
    func leaveRoom(_ room: GroupID) async throws(ChatError)
}
