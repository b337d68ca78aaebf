/// One implementation of AES-256-GCM.
///
/// Keys have 32 bytes and nonces have 12. The caller has checked this.
protocol AEADBackend: Sendable {
    /// The name of the library that implements the cipher.
    var name: String { get }

    /// Writes ciphertext and tag to `output`, which is 16 bytes longer than `plaintext` and may begin at the same
    /// address.
    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    )

    /// Writes the plaintext to `output`, which is 16 bytes shorter than `ciphertext`.
    ///
    /// If the ciphertext does not authenticate, the function answers false, and `output` holds no readable plaintext.
    func open(
        _ ciphertext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool
}
