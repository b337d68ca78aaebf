/// The positions of the lines of messages, counted upwards from the line that is being typed.
///
/// Bounded by the height of the terminal; a change of the width clears it.
struct PrintedBlocks: Equatable, Sendable {
    private struct Block: Equatable {
        let name: String?
        let rowCount: Int
    }

    /// The blocks, the newest last.
    private var blocks: [Block] = []
    /// Units: columns of the terminal when they were printed.
    private var width = 0

    /// The largest number of blocks; no supported terminal shows more.
    static let count = 200

    /// Records that rows were printed below all others.
    mutating func add(_ rowCount: Int, _ name: String?, width: Int) {
        if width != self.width { self = PrintedBlocks() }
        self.width = width
        blocks.append(Block(name: name, rowCount: rowCount))
        if blocks.count > Self.count { blocks.removeFirst() }
    }

    /// Returns the number of rows from the end of the printed rows up to the first row of a name; nil if they are out
    /// of reach, or if the name has another number of rows.
    func distance(to name: String, rowCount: Int, width: Int, height: Int) -> Int? {
        guard width == self.width, let place = blocks.lastIndex(where: { $0.name == name }),
            blocks[place].rowCount == rowCount
        else { return nil }
        let distance = blocks[place...].reduce(0) { $0 + $1.rowCount }
        return distance < height ? distance : nil
    }
}
