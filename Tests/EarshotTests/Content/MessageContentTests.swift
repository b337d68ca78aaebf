import ChatCrypto
import Earshot
import Testing

/// Content comes out of a session, so it is authentic; what it says can still be anything.
@Suite("Message content")
struct MessageContentTests {
    private static let salt: [UInt8] = [0x12, 16] + [UInt8](repeating: 7, count: 16)
    private static let messageID = [UInt8](repeating: 9, count: 16)

    /// Written by hand as protobuf has it, so that a change of the format is noticed.
    private static let text: [UInt8] = [0x08, 0x96, 0x01] + salt + [0x18, 3, 0x22, 6, 0x0A, 4] + Array("🦊".utf8)
    private static let receipt: [UInt8] = [0x08, 1] + salt + [0x2A, 18, 0x0A, 16] + messageID
    private static let newer: [UInt8] = [0x08, 1] + salt + [0x18, 1, 0xA2, 0x06, 2, 1, 2]

    @Test("A text is read with its time and order")
    func readsText() throws {
        let content = try #require(MessageContent.decode(Self.text))
        #expect(content.body == .text("🦊"))
        #expect([content.sentAt, content.order] == [150, 3])
    }

    @Test("A receipt is read with the messages that it names")
    func readsReceipt() throws {
        let id = try #require(MessageID(bytes: Self.messageID))
        #expect(MessageContent.decode(Self.receipt)?.body == .receipt(delivered: [id], read: []))
    }

    @Test("Content of a newer kind is known to be unknown")
    func readsNewer() {
        #expect(MessageContent.decode(Self.newer)?.body == .unknown)
    }

    @Test("A text without order, an empty one and one beyond the limit are refused")
    func refusesText() {
        #expect(MessageContent.decode(Self.text(ChatLimits.textByteCount)) != nil)
        #expect(MessageContent.decode(Self.text(ChatLimits.textByteCount + 1)) == nil)
        #expect(MessageContent.decode(Self.text(0)) == nil)
        #expect(MessageContent.decode([0x22, 3, 0x0A, 1, 0x61]) == nil)
    }

    @Test("A receipt of more messages than the limit is refused")
    func refusesReceipt() {
        #expect(MessageContent.decode(Self.receipt(ChatLimits.receiptCount)) != nil)
        #expect(MessageContent.decode(Self.receipt(ChatLimits.receiptCount + 1)) == nil)
    }

    @Test("20,000 mutated contents are refused or within the limits", arguments: 1...20 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) {
        var random = Mutator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = random.mutated([Self.text, Self.receipt, Self.newer, Self.receipt(ChatLimits.receiptCount)])
            guard let content = MessageContent.decode(bytes) else { continue }
            switch content.body {
            case .text(let text):
                let isAllowed = (1...ChatLimits.textByteCount).contains(text.utf8.count) && content.order > 0
                #expect(isAllowed, "seed \(seed): \(bytes)")
            case .receipt(let ids, _):
                #expect(ids.count <= ChatLimits.receiptCount, "seed \(seed): \(bytes)")
            case .unknown:
                break
            }
        }
    }

    private static func text(_ byteCount: Int) -> [UInt8] {
        let text = [UInt8](repeating: 0x61, count: byteCount)
        return [0x18, 1] + field(0x22, field(0x0A, text))
    }

    private static func receipt(_ count: Int) -> [UInt8] {
        field(0x2A, (0..<count).flatMap { _ in field(0x0A, messageID) })
    }

    /// A field of the length-delimited wire type.
    private static func field(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length = count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
        return [tag] + length + content
    }
}

/// Damages bytes, the same way for the same seed (SplitMix64).
private struct Mutator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// One of the examples with one to six changes.
    mutating func mutated(_ examples: [[UInt8]]) -> [UInt8] {
        var bytes = examples.randomElement(using: &self) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &self) {
            let place = Int.random(in: 0...bytes.count, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0 where place < bytes.count: bytes[place] = UInt8.random(in: .min ... .max, using: &self)
            case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 2 where place < bytes.count: bytes.remove(at: place)
            default:
                let other = examples.randomElement(using: &self) ?? []
                bytes.insert(contentsOf: other.prefix(Int.random(in: 0...20, using: &self)), at: place)
            }
        }
        return bytes
    }
}
