import CSodium

/// What a program does once, before anything else of ChatCrypto.
public enum CryptoStart {
    /// Checks that the cryptography of this machine works.
    ///
    /// - Throws: `libraryUnavailable`, or `aesUnavailable` where the processor has no AES instructions that libsodium
    ///   uses and the package was built without the trait `PortableAES`.
    public static func check() throws(CryptoError) {
        guard isLibraryReady else {
            throw CryptoError(.libraryUnavailable, "libsodium does not start.")
        }
        guard AEAD.backend != nil else {
            throw CryptoError(
                .aesUnavailable,
                "libsodium has no AES-256-GCM for this processor; build with the package trait PortableAES."
            )
        }
    }

    /// Whose AES-256-GCM is used; nil where `check()` fails for want of one.
    ///
    /// "libsodium", or "swift-crypto" in builds with the trait `PortableAES` for processors that libsodium has none for.
    public static var cipherSource: String? { AEAD.backend?.name }

    /// Whether secrets are locked into memory, so that they never reach the swap.
    ///
    /// False where the limit on locked memory is below 64 KiB: worth a warning, no reason to stop.
    public static var isMemoryLocked: Bool { SecretBytes.isSlabLocked }

    /// Keeps this process from writing core dumps and other users' debuggers out of it.
    ///
    /// For executables to call first; a library must not decide it for its program.
    ///
    /// - Throws: `hardeningFailed`.
    public static func hardenProcess() throws(CryptoError) {
        guard earshot_harden_process() == 0 else {
            throw CryptoError(.hardeningFailed, "The system did not let this process switch its core dumps off.")
        }
    }

    /// libsodium chooses its implementations and prepares its guarded memory here, once.
    static let isLibraryReady = sodium_init() >= 0
}
