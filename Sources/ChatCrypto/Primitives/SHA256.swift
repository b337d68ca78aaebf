import Crypto

/// The hash SHA-256.
///
/// Swift-crypto computes it: it uses the processor's instructions, which libsodium does not, and erases its states.
package enum SHA256 {
    /// Units: bytes.
    package static let byteCount = 32

    /// Hashes the concatenated parts.
    package static func hash(_ parts: [UInt8]...) -> [UInt8] {
        digest(parts)
    }

    /// Hashes for one purpose: `H(label, x)`, where x is the concatenation of the parts.
    ///
    /// Source: PROTOCOL §1.
    package static func hash(label: Label, _ parts: [UInt8]...) -> [UInt8] {
        digest([label.bytes] + parts)
    }

    /// Computes `H(label, secret ‖ parts)` without a copy of the secret outside its memory.
    package static func hash(label: Label, secret: SecretBytes, _ parts: [UInt8]...) -> [UInt8] {
        var state = State()
        state.update(label.bytes)
        secret.withBytes { state.update($0) }
        for part in parts { state.update(part) }
        return state.finish()
    }

    private static func digest(_ parts: [[UInt8]]) -> [UInt8] {
        var state = State()
        for part in parts { state.update(part) }
        return state.finish()
    }

    /// A hash that takes its parts one after the other, without copies.
    struct State {
        private var state = Crypto.SHA256()

        mutating func update(_ part: some Collection<UInt8>) {
            let isContiguous: Void? = part.withContiguousStorageIfAvailable { bytes in
                state.update(bufferPointer: UnsafeRawBufferPointer(bytes))
            }
            if isContiguous == nil { update(Array(part)) }
        }

        /// Returns the hash; its state is erased with the value.
        func finish() -> [UInt8] { state.finalize().withUnsafeBytes { Array($0) } }
    }
}
