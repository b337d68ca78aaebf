#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks names from others: an accepted name has the promised form and is comparable.
func fuzzNickname(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: examples)
    _ = try? Nickname(String(decoding: bytes, as: UTF8.self))
    guard let name = try? Nickname(decoding: bytes) else { return }
    precondition(name.bytes == bytes && (1...Nickname.maximumByteCount).contains(bytes.count))
    precondition(name.isConfusable(with: name))
    precondition((try? Nickname(name.text)) == name)
}

private let examples = ["Bob", "Zoë", "Маша", "e\u{301}", "\u{202E}x", "👩‍👩‍👧", "ﬁ"].map { Array($0.utf8) }
