#if !FUZZING
    @testable import ChatHistory
#endif

/// Keys without encryption: every row opens, so that every row reaches the code after opening.
struct OpenKeys: RecordKeys {
    struct Cipher: RecordCipher {
        func seal(_ plaintext: [UInt8], associatedData: [UInt8]) -> [UInt8] { plaintext }
        func open(_ sealed: [UInt8], associatedData: [UInt8]) -> [UInt8]? { sealed }
    }

    func cipher(for table: RecordTable) -> any RecordCipher { Cipher() }

    func rowID(_ table: RecordTable, name: [UInt8]) -> RowID { RowID(bytes: name.prefix(RowID.byteCount)) ?? .zero }

    func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8]) {
        (Cipher(), [1])
    }

    func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)? {
        wrapped == [1] ? Cipher() : nil
    }

    func digestCode(_ bytes: [UInt8]) -> [UInt8] {
        Array((bytes + [UInt8](repeating: 0, count: 32)).suffix(64).prefix(32))
    }

    func anchorCode(_ bytes: [UInt8]) -> [UInt8] { digestCode(bytes) }
}
