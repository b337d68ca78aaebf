/// One implementation of AES-256-GCM.
///
/// Keys have 32 bytes, nonces 12; the caller has checked.
protocol AEADBackend: Sendable {
    /// Whose implementation it is.
    var name: String { get }

    /// Writes ciphertext and tag to `output`, which is 16 bytes longer than `plaintext` and may begin where that does.
    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    )

    /// Writes the plaintext to `output`, which is 16 bytes shorter than `ciphertext`; false, and nothing readable in
    /// `output`, if it does not authenticate.
    func open(
        _ ciphertext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool
}
