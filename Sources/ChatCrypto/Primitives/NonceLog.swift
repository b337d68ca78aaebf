#if DEBUG
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A file that shows, in debug builds, whether a key and nonce were ever used twice, over crashes and restarts.
    ///
    /// The environment variable `EARSHOT_NONCE_LOG` names the file. Without it nothing is written, and release builds
    /// do not contain this code. Shape: 32 bytes per use, the SHA-256 of key and nonce, written before the ciphertext
    /// exists.
    enum NonceLog {
        private static let descriptor: Int32? = getenv("EARSHOT_NONCE_LOG").flatMap { path in
            let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            return opened >= 0 ? opened : nil
        }

        static func note(_ key: SecretBytes, _ nonce: [UInt8]) {
            guard let descriptor else { return }
            let digest = key.withBytes { SHA256.hash(Array($0), nonce) }
            let written = digest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            precondition(written == digest.count, "the nonce log cannot be written")
        }
    }
#endif
