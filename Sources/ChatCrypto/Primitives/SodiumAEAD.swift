import CSodium

/// AES-256-GCM by libsodium, which supports only processors with AES instructions.
struct SodiumAEAD: AEADBackend {
    let name = "libsodium"

    /// Makes the implementation; nil on a processor that libsodium does not support.
    init?() {
        guard crypto_aead_aes256gcm_is_available() == 1 else { return nil }
    }

    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        guard let sealed = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        key.withPointer { key in
            plaintext.withPointer { plain in
                associatedData.withPointer { known in
                    nonce.withPointer { nonce in
                        _ = crypto_aead_aes256gcm_encrypt(
                            sealed,
                            nil,
                            plain,
                            UInt64(plaintext.count),
                            known,
                            UInt64(associatedData.count),
                            nil,
                            nonce,
                            key
                        )
                    }
                }
            }
        }
    }

    func open(
        _ ciphertext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        key.withPointer { key in
            ciphertext.withPointer { sealed in
                associatedData.withPointer { known in
                    nonce.withPointer { nonce in
                        crypto_aead_aes256gcm_decrypt(
                            output.baseAddress?.assumingMemoryBound(to: UInt8.self),
                            nil,
                            nil,
                            sealed,
                            UInt64(ciphertext.count),
                            known,
                            UInt64(associatedData.count),
                            nonce,
                            key
                        ) == 0
                    }
                }
            }
        }
    }
}
