/// The palette entries that pixels of a GIF show; all others can be removed.
struct GIFColors {
    /// The entries of the palette that frames without one of their own use; the background is among them.
    private(set) var shared: Set<UInt8> = []
    /// The entries of each frame's own palette; empty for a frame without one.
    private(set) var own: [Set<UInt8>] = []

    /// Records the pixels of the next frame.
    ///
    /// - Parameter transparent: The index that shows nothing.
    mutating func add(_ indices: Set<UInt8>, transparent: UInt8?, hasPalette: Bool) {
        let seen = transparent.map { indices.subtracting([$0]) } ?? indices
        if !hasPalette { shared.formUnion(seen) }
        own.append(hasPalette ? seen : [])
    }

    /// Records the index of the background.
    mutating func add(background: Int) {
        shared.insert(UInt8(clamping: background))
    }
}
