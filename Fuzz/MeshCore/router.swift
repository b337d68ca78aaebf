#if !FUZZING
    @testable import MeshCore
    @testable import MeshSimulation
#endif

/// All messages that neighbours exchange.
private let said = messages + treeMessages

/// Checks neighbours that send any message in any order, with limits so small that the fuzzer reaches every one.
func fuzzRouter(_ input: [UInt8]) {
    var choices = Choices(input)
    var sender = FickleSender(refusals: choices.byte())
    var router = Router(
        configuration: limits,
        cryptography: NullCryptography(),
        random: MeshRandom(seed: 1),
        now: .zero
    )
    var now = MeshInstant.zero
    var effects: [RouterEffect] = []
    while !choices.isAtEnd {
        let action = choices.byte()
        let link = LinkID(UInt64(action >> 6))
        switch action % 16 {
        case 0: router.linkUp(link, node: NodeID(link.value), dialledHere: choices.flag(), now: now, over: &sender)
        case 1: router.linkDown(link, now: now, over: &sender)
        case 2: router.writable(link, now: now, over: &sender)
        case 3:
            let shelf = Shelf(of: UInt16(choices.byte()) << 8, depth: choices.byte() % 18)
            let sums = SIMD16<UInt32>(repeating: UInt32(choices.byte()))
            let summary = StoreSummary(shelf: shelf, sums: sums, count: Int(choices.byte()))
            router.status(summary, from: link, now: now, into: &effects)
        case 4, 5: now = now.advanced(by: .milliseconds(choices.number(below: .max) * (action % 16 == 4 ? 1 : 1_000)))
        case 6:
            let kind = EnvelopeKind(rawValue: choices.byte() % 16) ?? .sealed
            let body = choices.bytes(Int(choices.byte() % 24))
            router.submit(kind: kind, body: body, life: 50, now: now, over: &sender, into: &effects)
        case 7:
            router.transmitted(router.submissions.contains(0) ? 0 : UInt64(choices.byte()), into: &effects)
            router.acknowledged(sender.lastTag, on: link, into: &effects)
        default:
            let message = choices.variant(of: said[Int(choices.byte()) % said.count])
            let lane: Lane = action & 8 == 0 ? .interactive : .background
            router.receive(message, lane: lane, from: link, now: now, over: &sender, into: &effects)
        }
        tick(&router, now: now, over: &sender)
        check(router)
    }
}
