/// A picture of which nothing is left but what is seen.
public struct CleanImage: Hashable, Sendable {
    /// Its format, the same as before.
    public let format: ImageFormat
    /// Units: pixels, as it is seen.
    public let width: Int
    /// Units: pixels, as it is seen.
    public let height: Int
    /// 1, or more if it moves.
    public let frameCount: Int
    /// The whole file.
    public let bytes: [UInt8]
}
