/// Seals and opens records under one key; the library Earshot supplies it from ChatCrypto.
public protocol RecordCipher: Sendable {
    /// Seals a record with a fresh random nonce.
    ///
    /// - Returns: nonce 12, ciphertext, tag 16.
    func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8]

    /// Opens a record; returns nil unless all of it and the associated data authenticate.
    func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]?
}
