import ChatHistory

/// The keys for ``TestCipher``, equally insecure.
struct TestKeys: RecordKeys {
    var master: UInt64 = 0xE4A5

    func cipher(for table: RecordTable) -> any RecordCipher {
        TestCipher(key: checksum([table.rawValue], seed: master))
    }

    func rowID(_ table: RecordTable, name: [UInt8]) -> RowID {
        let bytes = [table.rawValue] + name
        let halves = bigEndian(checksum(bytes, seed: master)) + bigEndian(checksum(bytes, seed: ~master))
        return RowID(bytes: halves) ?? .zero
    }

    func makeConversationKey(for conversation: RowID) -> (cipher: any RecordCipher, wrapped: [UInt8]) {
        let key = UInt64.random(in: .min ... .max)
        return (TestCipher(key: key), bigEndian(key))
    }

    func conversationKey(unwrapping wrapped: [UInt8], for conversation: RowID) -> (any RecordCipher)? {
        guard wrapped.count == 8 else { return nil }
        return TestCipher(key: wrapped.reduce(0) { $0 << 8 | UInt64($1) })
    }

    func digestCode(_ bytes: [UInt8]) -> [UInt8] { code(bytes, seed: master ^ 0x53) }

    func anchorCode(_ bytes: [UInt8]) -> [UInt8] { code(bytes, seed: master ^ 0xA7) }

    private func code(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        (0..<4).flatMap { bigEndian(checksum(bytes, seed: seed ^ $0 << 8)) }
    }
}
