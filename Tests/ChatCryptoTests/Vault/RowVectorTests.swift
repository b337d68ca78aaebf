import Testing

@testable import ChatCrypto
@testable import ChatHistory

/// Tests of one row with both modules: ChatHistory binds it to its position and sums it up, ChatCrypto seals it.
@Suite("Known rows")
struct RowVectorTests {
    private let keys: StorageKeys
    private let databaseID: [UInt8]
    private let cipher: RecordAEAD
    private let bob: [UInt8]

    init() throws {
        let storage = try VectorFile("storage_keys").cases[0]
        databaseID = try storage.bytes("database")
        let master = MasterKey(secret: SecretBytes(copying: try storage.bytes("master key")))
        keys = StorageKeys(masterKey: master, databaseID: databaseID)
        cipher = RecordAEAD(key: SecretBytes(copying: try storage.bytes("conversation key")))
        bob = try KnownPeople().bob.publicIdentity.id.bytes
    }

    @Test("Records at their places give the known rows, marks and sums")
    func knownAnswers() throws {
        var sum = RowDigest()
        for known in try VectorFile("row").cases {
            let id = try #require(RowID(bytes: keys.rowID(table: 8, name: try known.bytes("name"))))
            let conversation = try #require(RowID(bytes: keys.rowID(table: 9, name: bob)))
            #expect(try id.bytes == known.bytes("row") && conversation.bytes == known.bytes("conversation"))
            let key = RowKey(table: .messages, id: id)
            let (sequence, version) = (UInt64(try known.number("sequence")), UInt32(try known.number("version")))
            let place = RecordSeal.associatedData(
                databaseID: databaseID,
                key: key,
                conversation: conversation,
                sequence: sequence,
                version: version
            )
            #expect(try place == known.bytes("associated data"))
            let padded = RecordSeal.pad(try known.bytes("record"))
            #expect(try padded == known.bytes("padded"))
            let sealed = Randomness.$tape.withValue(RandomTape(try known.bytes("nonce"))) {
                cipher.seal(padded, associatedData: place)
            }
            #expect(try sealed == known.bytes("sealed"))
            #expect(cipher.open(sealed, associatedData: place).flatMap(RecordSeal.unpad) == (try known.bytes("record")))

            let row = Row(
                table: .messages,
                id: id,
                conversation: conversation,
                sequence: sequence,
                version: version,
                sealed: sealed
            )
            let mark = keys.digestCode(RowTrace(row).bytes(at: key))
            #expect(try mark == known.bytes("mark"))
            sum.add(SIMD4(bigEndian: mark[...]))
            #expect(try sum.bytes == known.bytes("sum"))
        }
    }
}
