/// An error of ChatCrypto.
///
/// Two errors are equal when their codes are. No field ever holds a secret or a peer's text.
public struct CryptoError: Error, Equatable {
    /// The kind of an error, for programs.
    ///
    /// Later versions may add codes. Compare with the codes that you know.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        init(_ description: String) {
            self.description = description
        }

        /// libsodium could not start.
        public static let libraryUnavailable = Code("libraryUnavailable")
        /// The process could not switch off its core dumps.
        public static let hardeningFailed = Code("hardeningFailed")
        /// There was not enough memory for the passphrase hash.
        public static let outOfMemory = Code("outOfMemory")
        /// A number lies outside its allowed range.
        public static let outOfBounds = Code("outOfBounds")
        /// The bytes do not have the expected form.
        public static let malformed = Code("malformed")
        /// This version of Earshot does not know the version or the algorithm.
        public static let unknownVersion = Code("unknownVersion")
        /// A public key is one of the few that make a shared secret public.
        public static let lowOrderPoint = Code("lowOrderPoint")
        /// Bytes were altered, or are sealed under another key.
        public static let authenticationFailed = Code("authenticationFailed")
        /// The passphrase is not the one under which the vault was closed.
        public static let wrongPassphrase = Code("wrongPassphrase")
    }

    /// The kind of the error.
    public let code: Code
    /// One sentence for the user.
    public let reason: String
    /// The error below this one, if any.
    public let cause: (any Error)?

    package init(_ code: Code, _ reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.cause = cause
    }

    /// Compares the codes alone.
    public static func == (left: CryptoError, right: CryptoError) -> Bool {
        left.code == right.code
    }
}

extension CryptoError: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }
}
