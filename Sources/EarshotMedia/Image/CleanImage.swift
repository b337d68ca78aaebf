/// A picture that holds only its visible content.
public struct CleanImage: Hashable, Sendable {
    /// The format, the same as before.
    public let format: ImageFormat
    /// Units: pixels, as it is seen.
    public let width: Int
    /// Units: pixels, as it is seen.
    public let height: Int
    /// The number of frames: 1, or more for an animation.
    public let frameCount: Int
    /// The whole file.
    public let bytes: [UInt8]
}
