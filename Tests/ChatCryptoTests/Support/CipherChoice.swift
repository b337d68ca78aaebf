@testable import ChatCrypto

/// An implementation of AES-256-GCM that a test uses, whichever the process uses.
enum CipherChoice: CaseIterable, Sendable {
    case libsodium, swiftCrypto

    /// Runs a part of a test with this implementation, or with swift-crypto where libsodium supports no processor like
    /// this one.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let sodium = self == .libsodium ? SodiumAEAD() : nil
        return try AEAD.$forced.withValue(sodium ?? CryptoAEAD()) { try body() }
    }

    /// The other implementation.
    var other: CipherChoice { self == .libsodium ? .swiftCrypto : .libsodium }
}
