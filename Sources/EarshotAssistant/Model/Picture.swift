import Foundation

/// A picture that came with a message and is not read yet.
struct OfferedPicture: Hashable, Sendable {
    /// The media type, as the sender names it.
    let type: String
    /// Units: bytes.
    let byteCount: UInt64
}

/// A picture for the model.
struct Picture: Hashable, Sendable {
    /// The media type, one of those that Earshot takes for pictures, such as `image/png`.
    let type: String
    let bytes: [UInt8]

    /// The picture itself as a data URL, so that the model's server fetches nothing.
    var address: String { "data:\(type);base64,\(Data(bytes).base64EncodedString())" }
}
