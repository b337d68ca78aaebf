import Bytes
import MeshCore

#if !FUZZING
    @testable import ChatCore
#endif

/// Checks messages of a transfer: a decoded message is encoded to the same bytes, and neither end breaks or keeps a
/// false chunk.
func fuzzBlob(_ input: [UInt8]) {
    var choices = Choices(input)
    var fetch = BlobFetch(reference, transfer: 1, chunks: ChunkSet(chunkCount: reference.chunkCount), hashing: hashing)
    var requests = BlobRequests()
    var effects: [BlobFetch.Effect] = []
    var now = MeshInstant.zero
    fetch.resume(now: now, into: &effects)
    while !choices.isAtEnd {
        let bytes = choices.variant(of: transferMessages[Int(choices.byte()) % transferMessages.count])
        now = now.advanced(by: .milliseconds(choices.number(below: 1_000)))
        if let message = BlobMessage(decoding: bytes) {
            precondition(message.encoded() == bytes)
            precondition(BlobMessage(decoding: ([0] + bytes).dropFirst()) == message)
            fetch.receive(message, now: now, into: &effects)
            switch message {
            case .get(let transfer, _, let ranges): requests.add(ranges, of: reference, transfer: transfer)
            case .cancel(let transfer): requests.cancel(transfer)
            case .fragment, .absent: break
            }
        }
        if choices.flag() { requests.removeFirst() }
        if choices.flag() { fetch.resume(now: now, into: &effects) }
        fetch.tick(now: now, into: &effects)
        precondition(requests.waitingCount <= 2 * BlobRequests.waitingLimit)
    }
    for case .keep(let index, let chunk) in effects { precondition(chunk == chunks[index]) }
}

private let hashing = MixHashing()
private let chunks: [[UInt8]] = [
    [UInt8](repeating: 1, count: BlobReference.chunkByteCount + BlobReference.sealByteCount),
    [UInt8](repeating: 2, count: 5 + BlobReference.sealByteCount),
]
private let hashes: BlobHashes = {
    var hashes = BlobHashes(byteCount: UInt64(BlobReference.chunkByteCount + 5), hashing: hashing)
    for chunk in chunks { hashes.add(chunk[...]) }
    return hashes
}()
private let reference: BlobReference = {
    guard let reference = hashes.reference else { preconditionFailure("all chunks are there") }
    return reference
}()

/// Every message of a transfer of the object, and some others.
private let transferMessages: [[UInt8]] = {
    var requests = BlobRequests()
    requests.add([0..<UInt32(reference.partCount)], of: reference, transfer: 1)
    var messages: [BlobMessage] = [
        .get(transfer: 1, root: reference.root, [0..<2, 3..<4]), .absent(transfer: 1), .cancel(transfer: 1),
    ]
    while let fragment = requests.first {
        let part =
            reference.chunk(ofPart: fragment.part).map { chunks[$0] } ?? hashes.bytes(ofPart: fragment.part) ?? []
        let bytes = part[BlobMessage.range(ofFragment: fragment.fragment, in: part.count)]
        messages.append(.fragment(transfer: fragment.transfer, part: fragment.part, fragment: fragment.fragment, bytes))
        requests.removeFirst()
    }
    return messages.map { $0.encoded() }
}()

/// A hash wide enough that the fuzzer meets no collision; it is not cryptographic.
private struct MixHashing: BlobHashing {
    func hash(level: UInt8, _ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var state = UInt64(level) &+ 0xCBF2_9CE4_8422_2325
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        var random = SplitMix64(seed: state)
        var writer = ByteWriter(capacity: BlobReference.hashByteCount)
        for _ in 0..<4 { writer.append(integer: random.next()) }
        return writer.bytes
    }
}
