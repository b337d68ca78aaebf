import ChatCore
import ChatCrypto

/// The destination of the bytes of an export, in order.
protocol ArchiveOutput {
    /// Adds bytes.
    mutating func write(_ bytes: [UInt8]) async throws(ChatError)
    /// Ends the export.
    mutating func finish() async throws(ChatError)
}

extension ArchiveWriter: ArchiveOutput {}

/// An export that is handed over piece by piece, sealed under a passphrase or plain.
///
/// Nothing of it is written to the disk.
struct ArchiveStream: ArchiveOutput {
    /// Takes the next bytes; waits while there is no room for them.
    typealias Sending = @Sendable ([UInt8]) async throws -> Void

    private let send: Sending
    private let sealer: ArchiveSealer?
    /// The bytes that are not handed over yet; the header of a sealed export precedes the first of them.
    private var buffer: [UInt8] = []
    private var hasBegun = false

    init(passphrase: String?, cost: PassphraseCost, _ send: @escaping Sending) throws(CryptoError) {
        self.send = send
        sealer = try passphrase.map { passphrase throws(CryptoError) in
            try ArchiveSealer(passphrase: SecretBytes(normalizing: passphrase), cost: cost)
        }
    }

    mutating func write(_ bytes: [UInt8]) async throws(ChatError) {
        buffer += bytes
        // One full piece stays in the buffer, because it may be the last.
        while buffer.count > ArchiveSealer.segmentByteCount {
            let segment = Array(buffer.prefix(ArchiveSealer.segmentByteCount))
            buffer.removeFirst(segment.count)
            try await put(sealer?.seal(segment, isLast: false) ?? segment)
        }
    }

    mutating func finish() async throws(ChatError) {
        let segment = sealer?.seal(buffer, isLast: true) ?? buffer
        buffer = []
        try await put(segment)
    }

    private mutating func put(_ segment: [UInt8]) async throws(ChatError) {
        let header = hasBegun ? [] : sealer?.header ?? []
        hasBegun = true
        do {
            try await send(header + segment)
        } catch {
            throw ChatError(error)
        }
    }
}
