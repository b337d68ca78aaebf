import Testing

@testable import ChatCrypto

@Suite("Storage keys")
struct StorageKeysTests {
    private let vector: VectorCase
    private let keys: StorageKeys
    private let conversation: [UInt8]

    init() throws {
        vector = try #require(try VectorFile("storage_keys").cases.first)
        let master = MasterKey(secret: SecretBytes(copying: try vector.bytes("master key")))
        keys = StorageKeys(masterKey: master, databaseID: try vector.bytes("database"))
        conversation = try vector.bytes("conversation")
    }

    @Test("The keys are those another implementation derives")
    func reproducesVector() throws {
        #expect(try keys.identity.key.exposed == vector.bytes("identity"))
        #expect(try keys.sessions.key.exposed == vector.bytes("sessions"))
        #expect(try keys.conversationKeys.key.exposed == vector.bytes("deks"))
        let record = try vector.bytes("record")
        #expect(try keys.digestCode(record) == vector.bytes("sum code"))
        #expect(try keys.anchorCode(record) == vector.bytes("anchor code"))
        let table = UInt8(try vector.number("table"))
        #expect(try keys.rowID(table: table, name: vector.bytes("name")) == vector.bytes("row"))
    }

    @Test("Another table or name has another row")
    func rowsDiffer() {
        let row = keys.rowID(table: 1, name: [2, 3])
        #expect(row.count == 16)
        #expect(keys.rowID(table: 1, name: [2, 3]) == row)
        #expect(keys.rowID(table: 2, name: [2, 3]) != row)
        #expect(keys.rowID(table: 1, name: [2]) != row)
        #expect(keys.rowID(table: 1, name: []) != keys.rowID(table: 0, name: []))
    }

    @Test("Another database under the same master key has other keys throughout")
    func databasesDiffer() throws {
        let master = MasterKey(secret: SecretBytes(copying: try vector.bytes("master key")))
        let other = StorageKeys(masterKey: master, databaseID: conversation)
        #expect(!other.identity.key.isEqual(to: keys.identity.key))
        #expect(!other.sessions.key.isEqual(to: keys.sessions.key))
        #expect(!other.conversationKeys.key.isEqual(to: keys.conversationKeys.key))
        #expect(other.rowID(table: 1, name: [1]) != keys.rowID(table: 1, name: [1]))
        #expect(other.digestCode([1]) != keys.digestCode([1]))
        #expect(other.anchorCode([1]) != keys.anchorCode([1]))
    }

    @Test("A conversation's key is wrapped as another implementation does it, and opens for its place only")
    func wrapsConversationKeys() throws {
        let generation = UInt32(try vector.number("generation"))
        let tape = RandomTape(try vector.bytes("conversation key") + vector.bytes("nonce"))
        let made = Randomness.$tape.withValue(tape) {
            keys.makeConversationKey(conversation: conversation, generation: generation)
        }
        #expect(try made.wrapped == vector.bytes("wrapped"))
        #expect(try made.cipher.key.exposed == vector.bytes("conversation key"))
        func unwrap(_ bytes: [UInt8], _ conversation: [UInt8], _ generation: UInt32) -> [UInt8]? {
            keys.conversationKey(unwrapping: bytes, conversation: conversation, generation: generation)?.key.exposed
        }
        #expect(try unwrap(made.wrapped, conversation, generation) == vector.bytes("conversation key"))
        #expect(unwrap(made.wrapped, conversation.reversed(), generation) == nil)
        #expect(unwrap(made.wrapped, conversation, generation + 1) == nil)
        #expect(unwrap(made.wrapped.dropLast(), conversation, generation) == nil)
        #expect(unwrap(made.wrapped + [0], conversation, generation) == nil)
        #expect(unwrap([], conversation, generation) == nil)
    }

    @Test("A record is sealed as another implementation does it, and opens at its place only")
    func sealsRecords() throws {
        let cipher = RecordAEAD(key: SecretBytes(copying: try vector.bytes("conversation key")))
        let record = try vector.bytes("record")
        let place = try vector.bytes("associated data")
        let sealed = Randomness.$tape.withValue(RandomTape(try vector.bytes("record nonce"))) {
            cipher.seal(record, associatedData: place)
        }
        #expect(try sealed == vector.bytes("sealed"))
        #expect(cipher.open(sealed, associatedData: place) == record)
        #expect(cipher.open(sealed, associatedData: []) == nil)
        for count in 0..<sealed.count {
            #expect(cipher.open(Array(sealed[..<count]), associatedData: place) == nil)
        }
    }

    @Test("Every record has a nonce of its own")
    func drawsNonces() {
        let cipher = keys.sessions
        let nonces = (0..<1_000).map { _ in Array(cipher.seal([], associatedData: []).prefix(12)) }
        #expect(Set(nonces).count == nonces.count)
        #expect(cipher.open(cipher.seal([], associatedData: []), associatedData: []) == [])
    }
}
