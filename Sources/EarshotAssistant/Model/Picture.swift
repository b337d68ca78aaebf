import Foundation

/// A picture that came with a message, and has not been read yet.
struct OfferedPicture: Hashable, Sendable {
    /// Its media type, as its sender names it.
    let type: String
    /// Units: bytes.
    let byteCount: UInt64
}

/// A picture that a model is to look at.
struct Picture: Hashable, Sendable {
    /// One of the types that Earshot takes for pictures, such as `image/png`.
    let type: String
    let bytes: [UInt8]

    /// The picture itself as an address, so that the model's server fetches nothing.
    var address: String { "data:\(type);base64,\(Data(bytes).base64EncodedString())" }
}
