import ChatHistory

/// The stand-in for the real cipher of ChatCrypto, which Earshot's own tests use with these records.
///
/// It is not secure: an xor stream and a keyed checksum, good enough to hide bytes from a search of files and to
/// detect accidental changes.
struct TestCipher: RecordCipher {
    let key: UInt64

    func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] {
        let nonce = (0..<12).map { _ in UInt8.random(in: .min ... .max) }
        let body = crypt(plaintext, nonce: nonce)
        return nonce + body + tag(nonce + body, associatedData)
    }

    func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? {
        guard sealed.count >= 28 else { return nil }
        let body = sealed.dropLast(16)
        guard tag(Array(body), associatedData).elementsEqual(sealed.suffix(16)) else { return nil }
        return crypt(Array(body.dropFirst(12)), nonce: Array(body.prefix(12)))
    }

    private func crypt(_ bytes: [UInt8], nonce: [UInt8]) -> [UInt8] {
        var stream = TestRandom(seed: checksum(nonce, seed: key))
        var word: UInt64 = 0
        return bytes.enumerated().map { index, byte in
            if index.isMultiple(of: 8) { word = stream.next() }
            defer { word >>= 8 }
            return byte ^ UInt8(truncatingIfNeeded: word)
        }
    }

    private func tag(_ bytes: [UInt8], _ associatedData: [UInt8]) -> [UInt8] {
        [key ^ 0x5555, key ^ 0xAAAA].flatMap { seed in
            bigEndian(checksum(bytes, seed: checksum(associatedData, seed: seed)))
        }
    }
}

/// Computes a keyed checksum of bytes and their number.
func checksum(_ bytes: [UInt8], seed: UInt64) -> UInt64 {
    var state = TestRandom(seed: seed ^ UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15).first
    for byte in bytes {
        state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        state ^= state >> 29
    }
    return TestRandom(seed: state).first
}

func bigEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
}
