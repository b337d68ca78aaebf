/// The key derivation HKDF with SHA-256.
///
/// Source: RFC 5869.
package enum HKDF {
    /// Derives `count` secret bytes for the one purpose that `info` names.
    package static func derive(salt: SecretBytes, inputKey: SecretBytes, info: Label, count: Int) -> SecretBytes {
        derive(salt: salt, inputKey: inputKey, info: info.info, count: count)
    }

    /// Derives with a salt that is not secret; an empty one is allowed.
    package static func derive(salt: [UInt8], inputKey: SecretBytes, info: Label, count: Int) -> SecretBytes {
        derive(salt: SecretBytes(copying: salt), inputKey: inputKey, info: info.info, count: count)
    }

    /// Derives three keys of 32 bytes.
    package static func derive3(
        salt: SecretBytes,
        inputKey: SecretBytes,
        info: Label
    ) -> (SecretBytes, SecretBytes, SecretBytes) {
        let all = derive(salt: salt, inputKey: inputKey, info: info.info, count: 96)
        return (all.slice(0..<32), all.slice(32..<64), all.slice(64..<96))
    }

    /// Derives three keys of 32 bytes with a salt that is not secret.
    package static func derive3(
        salt: [UInt8],
        inputKey: SecretBytes,
        info: Label
    ) -> (SecretBytes, SecretBytes, SecretBytes) {
        derive3(salt: SecretBytes(copying: salt), inputKey: inputKey, info: info)
    }

    /// Runs the two steps of RFC 5869.
    ///
    /// Noise calls it with an empty info.
    static func derive(salt: SecretBytes, inputKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
        precondition((0...255 * HMACSHA256.byteCount).contains(count), "HKDF gives at most 255 blocks")
        let pseudorandomKey = SecretBytes(count: HMACSHA256.byteCount) { output in
            var extract = HMACSHA256.Stream(key: salt)
            inputKey.withBytes { extract.update($0) }
            extract.finish(into: output)
        }
        let blockCount = (count + HMACSHA256.byteCount - 1) / HMACSHA256.byteCount
        let blocks = SecretBytes(count: blockCount * HMACSHA256.byteCount) { output in
            for block in 0..<blockCount {
                let start = block * HMACSHA256.byteCount
                var expand = HMACSHA256.Stream(key: pseudorandomKey)
                expand.update(UnsafeRawBufferPointer(rebasing: output[max(0, start - HMACSHA256.byteCount)..<start]))
                expand.update(info + [UInt8(block + 1)])
                expand.finish(into: UnsafeMutableRawBufferPointer(rebasing: output[start...]))
            }
        }
        return blocks.count == count ? blocks : blocks.slice(0..<count)
    }
}
