import CSodium

/// The steps that a program takes once, before it uses any other part of ChatCrypto.
public enum CryptoStart {
    /// Checks that the cryptography of this machine works.
    ///
    /// - Throws: `libraryUnavailable`.
    public static func check() throws(CryptoError) {
        guard isLibraryReady else {
            throw CryptoError(.libraryUnavailable, "libsodium does not start.")
        }
    }

    /// The library whose AES-256-GCM is used: "libsodium", or "swift-crypto" on processors that libsodium does not
    /// support.
    public static var cipherSource: String { AEAD.backend.name }

    /// Whether secrets are locked into memory, so that they never reach the swap.
    ///
    /// The value is false if the limit on locked memory is below 64 KiB. A program should warn, but need not stop.
    public static var isMemoryLocked: Bool { SecretBytes.isSlabLocked }

    /// Keeps this process from writing core dumps, and keeps other users' debuggers out of it.
    ///
    /// Executables call it first. A library must not make this decision for its program.
    ///
    /// - Throws: `hardeningFailed`.
    public static func hardenProcess() throws(CryptoError) {
        guard earshot_harden_process() == 0 else {
            throw CryptoError(.hardeningFailed, "The system did not let this process switch its core dumps off.")
        }
    }

    /// Whether libsodium started; it chooses its implementations and prepares its guarded memory here, once.
    static let isLibraryReady = sodium_init() >= 0
}
