import Bytes

/// A writer that collects the fields of a record with secrets and lays them out in one `SecretBytes`.
///
/// Secrets are copied from one secure memory slab to another. No array on the heap ever holds them.
struct SecretWriter {
    private enum Part {
        case open([UInt8])
        case secret(SecretBytes)
    }

    private var parts: [Part] = []
    private var byteCount = 0

    /// Appends public bytes.
    mutating func append(_ bytes: [UInt8]) {
        parts.append(.open(bytes))
        byteCount += bytes.count
    }

    /// Appends an integer, big-endian.
    mutating func append(integer value: some FixedWidthInteger & UnsignedInteger) {
        append(value.bigEndianBytes)
    }

    /// Appends a truth value as one byte.
    mutating func append(flag: Bool) {
        append(integer: UInt8(flag ? 1 : 0))
    }

    /// Appends secret bytes.
    mutating func append(_ secret: SecretBytes) {
        parts.append(.secret(secret))
        byteCount += secret.count
    }

    /// All appended fields, in order.
    func finish() -> SecretBytes {
        SecretBytes(count: byteCount) { buffer in
            var offset = 0
            for part in parts {
                switch part {
                case .open(let bytes):
                    bytes.withUnsafeBytes { copy($0, to: buffer, at: &offset) }
                case .secret(let secret):
                    secret.withBytes { copy($0, to: buffer, at: &offset) }
                }
            }
        }
    }

    private func copy(_ bytes: UnsafeRawBufferPointer, to buffer: UnsafeMutableRawBufferPointer, at offset: inout Int) {
        UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<(offset + bytes.count)]).copyMemory(from: bytes)
        offset += bytes.count
    }
}
