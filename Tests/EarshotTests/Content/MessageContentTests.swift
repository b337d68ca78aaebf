import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Content comes out of a session, so it is authentic.
///
/// Its bytes can still be anything.
@Suite("Message content")
struct MessageContentTests {
    private static let salt: [UInt8] = [0x12, 16] + [UInt8](repeating: 7, count: 16)
    private static let messageID = [UInt8](repeating: 9, count: 16)

    /// A text that is encoded by hand in the protobuf format, so that the test detects a change of the format.
    private static let text: [UInt8] = [0x08, 0x96, 0x01] + salt + [0x18, 3, 0x22, 6, 0x0A, 4] + Array("🦊".utf8)
    private static let receipt: [UInt8] = [0x08, 1] + salt + [0x2A, 18, 0x0A, 16] + messageID
    private static let newer: [UInt8] = [0x08, 1] + salt + [0x18, 1, 0xA2, 0x06, 2, 1, 2]

    private static let root = [UInt8](repeating: 3, count: 32)
    private static let key = [UInt8](repeating: 4, count: 32)
    private static let files: [UInt8] =
        [0x18, 1]
        + ContentBytes.field(
            4,
            ContentBytes.field(1, [0x61]) + ContentBytes.field(2, file("../etc/passwd", "what", 0))
                + ContentBytes.field(2, file("b.png", "image/png", 300))
        )
    private static let longText: [UInt8] =
        [0x18, 1] + ContentBytes.field(4, ContentBytes.field(3, file("", "", 65_536)))

    private static func file(
        _ name: String,
        _ type: String,
        _ size: UInt64,
        root: [UInt8] = root,
        key: [UInt8] = key
    ) -> [UInt8] {
        ContentBytes.field(1, Array(name.utf8)) + ContentBytes.field(2, Array(type.utf8)) + ContentBytes.number(3, size)
            + ContentBytes.field(4, root) + ContentBytes.field(5, key)
    }

    @Test("A text is read with its time and order")
    func readsText() throws {
        let content = try #require(MessageContent.decode(Self.text))
        #expect(content.body == .text(MessageContent.Text("🦊")))
        #expect([content.sentAt, content.order] == [150, 3])
    }

    @Test("Files are read with names and types made safe")
    func readsFiles() throws {
        let content = try #require(MessageContent.decode(Self.files))
        guard case .text(let text) = content.body else { throw ChatError(.notFound, "no text") }
        #expect(text.text == "a")
        #expect(text.longText == nil)
        #expect(text.files.map(\.name) == ["passwd", "b.png"])
        #expect(text.files.map(\.type) == ["application/octet-stream", "image/png"])
        #expect(text.files.map(\.reference.byteCount) == [0, 300])
        #expect(text.files.map(\.reference.root) == [Self.root, Self.root])
        #expect(text.files.map(\.key) == [Self.key, Self.key])
    }

    @Test("A long text is read as an object")
    func readsLongText() throws {
        let content = try #require(MessageContent.decode(Self.longText))
        guard case .text(let text) = content.body else { throw ChatError(.notFound, "no text") }
        #expect(text.longText?.reference.byteCount == 65_536)
        #expect(text.text.isEmpty && text.files.isEmpty)
    }

    @Test("Files with wrong sizes, too many files, and a text in two places are refused")
    func refusesFiles() {
        func text(_ fields: [UInt8]) -> [UInt8] { [0x18, 1] + ContentBytes.field(4, fields) }
        func decodes(_ fields: [UInt8]) -> Bool { MessageContent.decode(text(fields)) != nil }
        let file = ContentBytes.field(2, Self.file("a", "b/c", 1))
        #expect(decodes(file))
        #expect(decodes((0..<16).flatMap { _ in file }))
        #expect(!decodes((0..<17).flatMap { _ in file }))
        #expect(decodes(ContentBytes.field(2, Self.file("a", "b/c", 1 << 32))))
        #expect(!decodes(ContentBytes.field(2, Self.file("a", "b/c", 1 << 32 + 1))))
        #expect(!decodes(ContentBytes.field(2, Self.file("a", "b/c", 1, root: [1]))))
        #expect(!decodes(ContentBytes.field(2, Self.file("a", "b/c", 1, key: Self.key + [1]))))
        #expect(!decodes(file + ContentBytes.field(2, [])))
        #expect(decodes(ContentBytes.field(3, Self.file("", "", 65_536))))
        #expect(!decodes(ContentBytes.field(3, Self.file("", "", 65_537))))
        #expect(!decodes(ContentBytes.field(3, Self.file("", "", 0))))
        #expect(!decodes(ContentBytes.field(1, [0x61]) + ContentBytes.field(3, Self.file("", "", 5))))
        #expect(decodes(file + ContentBytes.field(3, Self.file("", "", 5))))
    }

    @Test("A receipt is read with the messages that it names")
    func readsReceipt() throws {
        let id = try #require(MessageID(bytes: Self.messageID))
        #expect(MessageContent.decode(Self.receipt)?.body == .receipt(.init(delivered: [id])))
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

    @Test(
        "Notes of groups come out as they went in; 20,000 mutated ones are refused or within the limits",
        arguments: 1...20
    )
    func groupNotes(seed: UInt64) throws {
        var random = Mutator(seed: seed)
        let examples = try Self.notes().map(\.encoded)
        for example in examples { #expect(ControlMessage(decoding: example)?.encoded == example) }
        for _ in 0..<1_000 {
            let bytes = random.mutated(examples)
            guard let note = ControlMessage(decoding: bytes) else { continue }
            #expect(ControlMessage(decoding: note.encoded)?.encoded == note.encoded, "seed \(seed): \(bytes)")
            guard case .operations(let group, let operations) = note else { continue }
            let groups = operations.map(\.groupID)
            let isAllowed =
                groups.allSatisfy { $0 == group } && (1...ControlMessage.operationCount).contains(groups.count)
            #expect(isAllowed, "seed \(seed): \(bytes)")
        }
    }

    /// Returns one control message of each kind.
    private static func notes() throws -> [ControlMessage] {
        let now: UInt32 = 1_800_000_000
        let founder = GroupMember(identity: Identity().publicIdentity, nickname: try Nickname("Alice"))
        let member = GroupMember(identity: Identity().publicIdentity, nickname: nil)
        var session = try GroupSession.create(
            as: founder,
            title: try GroupTitle("Trees"),
            policy: .standard,
            at: now
        ).session
        let update = try session.perform([.add(member)], at: now).update
        let renewal = try session.perform([.renewBlock], at: now).update
        func welcome(_ maximumByteCount: Int) throws -> GroupWelcome {
            let made = session.welcome(
                for: member.identity.id,
                remainingSeconds: 0,
                bundles: [],
                maximumByteCount: maximumByteCount
            )
            return try #require(made)
        }
        let leaf = try #require(renewal.leaves.first).secret
        let part = try #require(
            GroupParts.split([UInt8](repeating: 7, count: 20_000), isOfSecrets: true, epoch: 9).last
        )
        return [
            .welcome(try welcome(8_192)), .welcome(try welcome(256)),
            .operations(session.id, [update.operation, renewal.operation]), .leaf(session.id, leaf),
            .part(session.id, part), .leave(session.id), .request(session.id, OperationRequest(from: 7)),
            .request(session.id, OperationRequest(after: session.log, wantsPath: true)), .wantsOwnerKey(session.id),
            .ownerKey(session.id, [UInt8](repeating: 5, count: 32)),
        ]
    }

    @Test("20,000 mutated contents are refused or within the limits", arguments: 1...20 as ClosedRange<UInt64>)
    func mutations(seed: UInt64) {
        var random = Mutator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = random.mutated([
                Self.text, Self.files, Self.longText, Self.receipt, Self.newer, Self.receipt(ChatLimits.receiptCount),
            ])
            guard let content = MessageContent.decode(bytes) else { continue }
            switch content.body {
            case .text(let text):
                let objects = text.files + [text.longText].compactMap { $0 }
                let isAllowed =
                    text.text.utf8.count <= ChatLimits.textByteCount && text.files.count <= ChatLimits.fileCount
                    && content.order > 0 && (!text.text.isEmpty || !objects.isEmpty)
                    && (text.longText == nil || text.text.isEmpty)
                    && objects.allSatisfy {
                        $0.reference.byteCount <= 1 << 32 && $0.reference.root.count == 32 && $0.key.count == 32
                            && $0.name == FileName.safe($0.name)
                    }
                #expect(isAllowed, "seed \(seed): \(bytes)")
            case .receipt(let receipt):
                let count = receipt.delivered.count + receipt.read.count + receipt.packs.count
                #expect(count <= ChatLimits.receiptCount, "seed \(seed): \(bytes)")
            case .poll(let poll):
                #expect(ContentLimits.optionCounts.contains(poll.options.count), "seed \(seed): \(bytes)")
            case .timer(let seconds, _): #expect(seconds <= ContentLimits.timerSeconds, "seed \(seed): \(bytes)")
            case .change: #expect(content.order == 0, "seed \(seed): \(bytes)")
            case .groupNote(let bytes):
                if let note = ControlMessage(decoding: bytes) { #expect(ControlMessage(decoding: note.encoded) != nil) }
            case .statement, .unknown:
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

    /// Encodes a field of the length-delimited wire type.
    private static func field(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length = count < 128 ? [UInt8(count)] : [UInt8(count & 0x7F) | 0x80, UInt8(count >> 7)]
        return [tag] + length + content
    }
}

/// A generator that damages bytes, the same way for the same seed (SplitMix64).
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

    /// Returns one of the examples with one to six changes.
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
