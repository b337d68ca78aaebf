import EarshotRPC

/// The rooms as a table.
enum RoomTable {
    /// Formats a line for each room, or one line that says there are none.
    static func lines(_ rooms: [RoomReply]) -> [String] {
        guard !rooms.isEmpty else { return ["You are in no rooms."] }
        var table = Table(["TITLE", "ID", "STANDING", "ENDS", "CODE", "MEMBERS", "WAITING"])
        for room in rooms {
            table.add(
                room.title,
                String(room.id.prefix(8)),
                room.standing,
                room.endsAt.map { TimeText.moment($0) } ?? "-",
                room.code ?? (room.shut == true ? "closed" : "-"),
                room.members.map(\.name).joined(separator: ", "),
                (room.waiting ?? []).map(\.name).joined(separator: ", ")
            )
        }
        return table.lines
    }
}
