import ChatCrypto
package import Earshot
package import Foundation

package struct ExportRoomsCall: RPCMethod {
    package static let name = "room.export"
    package static let summary = "Returns the list of rooms, without keys and messages."
    package static let example = ExportRoomsCall()

    package init() {}

    package func perform(on node: ChatNode) async throws -> RoomListReply {
        RoomListReply(rooms: try await node.rooms.list().map(RoomEntryReply.init))
    }
}

package struct ImportRoomsCall: RPCMethod {
    package static let name = "room.import"
    package static let summary = "Adds the rooms of another list; they are listed as `left` until they end."
    package static let parameters: RPCParameters = ["rooms": "Rooms of `room.export`, at most 256."]
    package static let example = ImportRoomsCall(
        RoomListReply(
            rooms: [
                RoomEntryReply(
                    id: "000102030405060708090a0b0c0d0e0f",
                    title: "Choir",
                    name: "Al",
                    admission: "code",
                    maximumMembers: 16,
                    endsAt: nil
                )
            ]
        )
    )

    /// The effect of an import.
    package struct Reply: Codable, Hashable, Sendable {
        /// The number of rooms that the import added; the other rooms were listed already, or are over.
        package let added: Int
    }

    let rooms: [RoomEntryReply]

    package init(_ list: RoomListReply) { rooms = list.rooms }

    package func perform(on node: ChatNode) async throws -> Reply {
        guard rooms.count <= RoomRules.listCount else {
            throw RPCError(.invalidParameters, "A list has at most \(RoomRules.listCount) rooms.")
        }
        var entries: [RoomEntry] = []
        for (index, room) in rooms.enumerated() {
            do throws(ChatError) {
                entries.append(try room.entry())
            } catch {
                throw RPCError(.invalidParameters, "Room \(index + 1) of the list: \(error.reason)")
            }
        }
        return Reply(added: try await node.rooms.importList(entries).count)
    }
}

/// A room of a list, on the wire and in files.
package struct RoomEntryReply: Codable, Hashable, Sendable {
    /// The room's ID.
    ///
    /// Shape: 32 hexadecimal digits.
    package let id: String
    /// The title.
    package let title: String
    /// The name of this node's user in the room.
    package let name: String
    /// The admission policy: `code`, `code+approval` or `open`; absent if unknown.
    package let admission: String?
    /// The largest number of members.
    package let maximumMembers: Int
    /// The time at which the room ends; absent for never.
    package let endsAt: Date?
}

extension RoomEntryReply {
    init(_ entry: RoomEntry) {
        id = entry.id.description
        title = entry.title
        name = entry.nickname
        admission = entry.admission?.name
        maximumMembers = entry.maximumMembers
        endsAt = entry.endsAt
    }

    /// Converts the entry.
    fileprivate func entry() throws(ChatError) -> RoomEntry {
        guard id.utf8.count == 2 * GroupID.byteCount, let bytes = [UInt8](hex: id), let group = GroupID(bytes: bytes)
        else {
            throw ChatError(.notFound, "A room's id has 32 hexadecimal digits.")
        }
        let known = admission.flatMap { RoomAdmission(name: $0) }
        guard admission == nil || known != nil else {
            throw ChatError(.notFound, "The admission of a room is code, code+approval or open.")
        }
        return try RoomEntry(
            id: group,
            title: title,
            nickname: name,
            admission: known,
            maximumMembers: maximumMembers,
            endsAt: endsAt
        )
    }
}

/// The list of rooms for storage elsewhere: the answer of `room.export`, the input of `room.import`, and a file's
/// content.
package struct RoomListReply: Codable, Hashable, Sendable {
    /// The rooms.
    package let rooms: [RoomEntryReply]
}
