@testable import ChatCrypto

extension SecretBytes {
    /// The content, for comparison with vectors.
    var exposed: [UInt8] { withBytes { Array($0) } }
}
