/// Where the lines of messages stand above what is being typed, counted from there.
///
/// Bounded by the height of the terminal; nothing is known any more once its width is another.
struct PrintedBlocks: Equatable, Sendable {
    private struct Block: Equatable {
        let name: String?
        let rowCount: Int
    }

    /// The newest last.
    private var blocks: [Block] = []
    /// Units: columns of the terminal when they were printed.
    private var width = 0

    /// Blocks that are kept; no terminal of ours shows more.
    static let count = 200

    /// Notes that rows were printed below all others.
    mutating func add(_ rowCount: Int, _ name: String?, width: Int) {
        if width != self.width { self = PrintedBlocks() }
        self.width = width
        blocks.append(Block(name: name, rowCount: rowCount))
        if blocks.count > Self.count { blocks.removeFirst() }
    }

    /// How many rows above the end of what was printed the rows of a name begin; nil where they cannot be reached, or
    /// where there are not so many.
    func distance(to name: String, rowCount: Int, width: Int, height: Int) -> Int? {
        guard width == self.width, let place = blocks.lastIndex(where: { $0.name == name }),
            blocks[place].rowCount == rowCount
        else { return nil }
        let distance = blocks[place...].reduce(0) { $0 + $1.rowCount }
        return distance < height ? distance : nil
    }
}
