import MeshDoctor

extension Finding.Cause {
    /// The cipher that seals all data.
    static let cipher = Self("cipher", in: .cryptography)
    /// Whether secrets can reach the swap.
    static let memoryLock = Self("memoryLock", in: .cryptography)
}

/// The support of the processor and the system for the cryptography.
struct CryptographyFacts: Hashable, Sendable {
    /// The library whose AES-256-GCM is used.
    var cipherSource: String
    /// Whether secrets are locked into memory.
    var isMemoryLocked: Bool
}

/// The check of the cryptography.
enum CryptographyDiagnosis {
    /// Returns one finding for the cipher and one for locked memory.
    static func findings(_ facts: CryptographyFacts) -> [Finding] {
        [cipher(facts.cipherSource), memory(facts.isMemoryLocked)]
    }

    private static func cipher(_ source: String) -> Finding {
        switch source {
        case "libsodium": .ok(.cipher, "AES-256-GCM", "By libsodium, with the processor's AES instructions.")
        default:
            .hint(
                .cipher,
                "AES-256-GCM",
                "By \(source): libsodium has none for this processor.",
                why: "It gives the same bytes and the same protection, more slowly for short messages.",
                mend: "Nothing, unless you expected AES instructions: then check the settings of the virtual machine."
            )
        }
    }

    private static func memory(_ isLocked: Bool) -> Finding {
        guard !isLocked else { return .ok(.memoryLock, "secrets", "They are in locked memory.") }
        return .hint(
            .memoryLock,
            "secrets",
            "The system does not let this process lock their memory.",
            why: "Keys may reach the swap, and stay readable there for anybody who gets the disk.",
            mend:
                "Raise the limit to 64 KiB or more: `ulimit -l 1024`, LimitMEMLOCK=1M in a systemd unit, or memlock in "
                + "/etc/security/limits.conf; or use encrypted swap only."
        )
    }
}
