@testable import ChatCrypto

extension SecretBytes {
    /// The content of the secret, for comparison with vectors.
    var exposed: [UInt8] { withBytes { Array($0) } }
}
