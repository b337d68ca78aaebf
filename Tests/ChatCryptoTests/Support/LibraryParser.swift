import Crypto

/// Whether swift-crypto parses the bytes as a public key of ML-KEM-768.
func libraryAccepts(_ publicKey: [UInt8]) -> Bool {
    (try? MLKEM768.PublicKey(rawRepresentation: publicKey)) != nil
}
