#if !FUZZING
    @testable import ChatCrypto
#endif

/// Checks two people whose packets are lost, duplicated, reordered, damaged and forged; each text arrives at most
/// once.
func fuzzRatchet(_ input: [UInt8]) {
    var choices = Choices(input)
    var talk = Talk()
    for _ in 0..<24 where !choices.isAtEnd {
        let action = choices.byte()
        let person = Int(action >> 7)
        switch action % 8 {
        case 0, 1: talk.send(choices.bytes(Int(choices.byte())), by: person)
        case 2, 3: talk.deliver(choices.number(below: 24))
        case 4: talk.deliver(choices.number(below: 24)) { choices.variant(of: $0) }
        case 5: talk.forge(&choices, by: person)
        case 6: talk.age(by: UInt32(choices.byte()) << (choices.byte() % 16))
        default: talk.restart(person)
        }
    }
}
