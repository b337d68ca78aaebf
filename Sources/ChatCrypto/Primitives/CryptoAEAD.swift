import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// AES-256-GCM by swift-crypto: constant-time software on processors without AES instructions.
struct CryptoAEAD: AEADBackend {
    let name = "swift-crypto"

    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        let box: AES.GCM.SealedBox
        do {
            box = try AES.GCM.seal(
                plaintext,
                using: key.withBytes { SymmetricKey(data: $0) },
                nonce: AES.GCM.Nonce(data: nonce),
                authenticating: associatedData
            )
        } catch {
            preconditionFailure("sealing fails only for a key or nonce of a wrong length")
        }
        output.copyBytes(from: box.ciphertext)
        output[plaintext.count...].copyBytes(from: box.tag)
    }

    func open(
        _ ciphertext: UnsafeRawBufferPointer,
        key: SecretBytes,
        nonce: UnsafeRawBufferPointer,
        associatedData: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        do {
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce),
                ciphertext: UnsafeRawBufferPointer(rebasing: ciphertext.dropLast(AEAD.tagByteCount)),
                tag: UnsafeRawBufferPointer(rebasing: ciphertext.suffix(AEAD.tagByteCount))
            )
            var plaintext = try AES.GCM.open(
                box,
                using: key.withBytes { SymmetricKey(data: $0) },
                authenticating: associatedData
            )
            output.copyBytes(from: plaintext)
            plaintext.resetBytes(in: plaintext.startIndex..<plaintext.endIndex)
            return true
        } catch {
            return false
        }
    }
}
