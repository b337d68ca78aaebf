#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks records of key exchanges, and sections that any peer with a session may send.
func fuzzExchangeRecord(_ input: [UInt8]) {
    var choices = Choices(input)
    let bytes = choices.candidate(like: examples)
    guard var exchange = try? KEMExchange(decoding: SecretBytes(copying: bytes)) else { return }
    precondition(exchange.encoded().exposed == bytes)
    for _ in 0..<8 where !choices.isAtEnd {
        let section = choices.field(3) + choices.bytes(Int(choices.byte()))
        exchange.readSection(section[...], isNewest: choices.flag(), base: base)
        precondition(exchange.writeSection(byteCount: section.count, base: base).count == section.count)
    }
}

private let base = KEMExchange.Base(associatedData: [UInt8](repeating: 7, count: 32), secret: .random(count: 32))

private let examples: [[UInt8]] = {
    var (owner, other) = (KEMExchange(1, isOwner: true, at: 5), KEMExchange(1, isOwner: false, at: 5))
    var records = [owner.encoded().exposed, other.encoded().exposed]
    let key = owner.writeSection(byteCount: 1_300, base: base)
    other.readSection(key[...], isNewest: true, base: base)
    records.append(other.encoded().exposed)
    let ciphertext = other.writeSection(byteCount: 1_300, base: base)
    owner.readSection(ciphertext[...], isNewest: true, base: base)
    return records + [owner.encoded().exposed]
}()
