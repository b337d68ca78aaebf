/// The palette entries that pixels of a GIF show, so that all others can go.
struct GIFColors {
    /// Of the palette that frames without one of their own have; the background is among them.
    private(set) var shared: Set<UInt8> = []
    /// Of each frame's own palette; empty for a frame that has none.
    private(set) var own: [Set<UInt8>] = []

    /// Notes the pixels of the next frame.
    ///
    /// - Parameter transparent: the index that shows nothing.
    mutating func add(_ indices: Set<UInt8>, transparent: UInt8?, hasPalette: Bool) {
        let seen = transparent.map { indices.subtracting([$0]) } ?? indices
        if !hasPalette { shared.formUnion(seen) }
        own.append(hasPalette ? seen : [])
    }

    /// Notes the index of the background.
    mutating func add(background: Int) {
        shared.insert(UInt8(clamping: background))
    }
}
