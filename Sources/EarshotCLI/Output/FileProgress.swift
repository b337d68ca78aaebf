import EarshotRPC

/// How far a file of a message is.
struct FileProgress: Equatable, Sendable {
    let message: String
    /// Which file of it.
    let index: Int
    let byteCount: Int
    let total: Int

    /// Units: columns; a line that a terminal breaks cannot be taken away again.
    private static let nameWidth = 40

    /// As a line shows it.
    func line(_ name: String) -> String {
        let part = Double(min(max(byteCount, 0), total)) / Double(total)
        let percentage = total > 0 ? Int(part * 100) : 100
        return
            "\(DisplayText.shortened(name, to: Self.nameWidth))  \(percentage) %  \(Self.size(byteCount)) of \(Self.size(total))"
    }

    /// As programs read it.
    var event: RPCEvent { .progress(message: message, index: index, byteCount: byteCount, total: total) }

    /// A count of bytes in the largest unit of which there is one.
    static func size(_ byteCount: Int) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        let place = (1..<units.count).last { byteCount >= 1 << (10 * $0) } ?? 0
        guard place > 0 else { return "\(byteCount) B" }
        let tenths = (min(byteCount, .max / 10) * 10) >> (10 * place)
        return "\(tenths / 10).\(tenths % 10) \(units[place])"
    }
}
