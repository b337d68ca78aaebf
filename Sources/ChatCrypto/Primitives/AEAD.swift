#if DEBUG
    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif
#endif

/// AES-256-GCM, the only cipher of Earshot.
///
/// Two implementations give the same bytes. The process chooses one of them once and never changes it. Source: `SEAL`
/// and `OPEN` of PROTOCOL §1; NIST SP 800-38D.
package enum AEAD {
    /// Units: bytes.
    package static let keyByteCount = 32
    /// Units: bytes.
    package static let nonceByteCount = 12
    /// Units: bytes.
    package static let tagByteCount = 16

    /// Seals a plaintext; the result is 16 bytes longer.
    ///
    /// A nonce must never be used twice with one key.
    package static func seal(
        _ plaintext: [UInt8],
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8] {
        plaintext.withUnsafeBytes { seal($0, key: key, nonce: nonce, associatedData: associatedData) }
    }

    /// Seals a secret; the result is 16 bytes longer.
    package static func sealSecret(
        _ plaintext: SecretBytes,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8] {
        plaintext.withBytes { seal($0, key: key, nonce: nonce, associatedData: associatedData) }
    }

    /// Opens the output of `seal`; nil if it does not authenticate.
    package static func open(
        _ ciphertext: ArraySlice<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8]? {
        guard ciphertext.count >= tagByteCount else { return nil }
        let count = ciphertext.count - tagByteCount
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            isAuthentic = open(ciphertext, key: key, nonce: nonce, associatedData: associatedData, into: output)
            initialized = isAuthentic ? count : 0
        }
        return isAuthentic ? plaintext : nil
    }

    /// Opens the output of `seal`; nil if it does not authenticate.
    package static func open(
        _ ciphertext: [UInt8],
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8]? {
        open(ciphertext[...], key: key, nonce: nonce, associatedData: associatedData)
    }

    /// Opens the output of `sealSecret`; nil if it does not authenticate.
    package static func openSecret(
        _ ciphertext: ArraySlice<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> SecretBytes? {
        guard ciphertext.count >= tagByteCount else { return nil }
        var isAuthentic = false
        let plaintext = SecretBytes(count: ciphertext.count - tagByteCount) { output in
            isAuthentic = open(ciphertext, key: key, nonce: nonce, associatedData: associatedData, into: output)
        }
        return isAuthentic ? plaintext : nil
    }

    // MARK: - Datagrams, without copies

    /// Seals a datagram in place, except a header that stays in the clear and is authenticated.
    ///
    /// The datagram becomes 16 bytes longer.
    static func seal(_ datagram: inout [UInt8], headerByteCount: Int, key: SecretBytes, nonce: PacketNonce) {
        precondition(key.count == keyByteCount && headerByteCount <= datagram.count, "a key has 32 bytes")
        #if DEBUG
            NonceLog.note(key, nonce.bytes)
        #endif
        datagram.append(contentsOf: repeatElement(0, count: tagByteCount))
        datagram.withUnsafeMutableBytes { datagram in
            let output = UnsafeMutableRawBufferPointer(rebasing: datagram[headerByteCount...])
            nonce.withBytes { nonce in
                backend.seal(
                    UnsafeRawBufferPointer(rebasing: output.dropLast(tagByteCount)),
                    key: key,
                    nonce: nonce,
                    associatedData: UnsafeRawBufferPointer(rebasing: datagram[..<headerByteCount]),
                    into: output
                )
            }
        }
    }

    /// Opens the sealed part of a datagram; nil if it does not authenticate with its header.
    static func open(
        _ ciphertext: ArraySlice<UInt8>,
        header: ArraySlice<UInt8>,
        key: SecretBytes,
        nonce: PacketNonce
    ) -> [UInt8]? {
        precondition(key.count == keyByteCount, "a key has 32 bytes")
        guard ciphertext.count >= tagByteCount else { return nil }
        let count = ciphertext.count - tagByteCount
        var isAuthentic = false
        let plaintext = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            isAuthentic = ciphertext.withUnsafeBytes { sealed in
                header.withUnsafeBytes { header in
                    nonce.withBytes {
                        backend.open(sealed, key: key, nonce: $0, associatedData: header, into: output)
                    }
                }
            }
            initialized = isAuthentic ? count : 0
        }
        return isAuthentic ? plaintext : nil
    }

    // MARK: - Implementation

    #if DEBUG
        /// The implementation that a test uses in place of the process's, in debug builds only and only within a task.
        @TaskLocal static var forced: (any AEADBackend)?
    #endif

    /// The implementation of this process: libsodium's where it supports the processor, else swift-crypto's.
    static var backend: any AEADBackend {
        #if DEBUG
            if let forced { return forced }
        #endif
        return preferred
    }

    private static let preferred: any AEADBackend = {
        if !isPortableForced, CryptoStart.isLibraryReady, let sodium = SodiumAEAD() { return sodium }
        return CryptoAEAD()
    }()

    /// Whether a debug build uses swift-crypto on every processor, so that tests cover it.
    private static var isPortableForced: Bool {
        #if DEBUG
            guard let value = getenv("EARSHOT_AEAD") else { return false }
            return String(cString: value) == "portable"
        #else
            return false
        #endif
    }

    private static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount, "a key has 32 bytes, a nonce 12")
        #if DEBUG
            NonceLog.note(key, nonce)
        #endif
        let count = plaintext.count + tagByteCount
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count])
            nonce.withUnsafeBytes { nonce in
                associatedData.withUnsafeBytes { known in
                    backend.seal(plaintext, key: key, nonce: nonce, associatedData: known, into: output)
                }
            }
            initialized = count
        }
    }

    private static func open(
        _ ciphertext: ArraySlice<UInt8>,
        key: SecretBytes,
        nonce: [UInt8],
        associatedData: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(key.count == keyByteCount && nonce.count == nonceByteCount, "a key has 32 bytes, a nonce 12")
        return ciphertext.withUnsafeBytes { sealed in
            nonce.withUnsafeBytes { nonce in
                associatedData.withUnsafeBytes { known in
                    backend.open(sealed, key: key, nonce: nonce, associatedData: known, into: output)
                }
            }
        }
    }
}
