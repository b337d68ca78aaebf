import Bytes
import Testing

@testable import MeshCore

@Suite("Holders and whatever comes")
struct HolderChaosTests {
    /// Labels that a message may go to or come from: those of searches, of answers, and unknown ones.
    private struct Labels {
        var known: [PathLabel] = [PathLabel(1)]

        mutating func note(_ effects: [HolderEffect]) {
            known += effects.sent.compactMap(\.from) + effects.seeks.map { PathLabel($0.number) }
            known = known.suffix(40)
        }
    }

    @Test("No order of messages, searches and losses stops the machine or makes it grow", arguments: 1...8)
    func chaos(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var configuration = HolderConfiguration()
        (configuration.giftLimit, configuration.collectionLimit, configuration.objectLimit) = (8, 6, 6)
        var node = HolderNode(configuration)
        node.keep([1, 2, 3])
        var labels = Labels()
        for _ in 0..<4_000 {
            labels.note(step(&node, labels, &random))
            labels.note(node.pass(.milliseconds(Int64(random.next() % 3_000))))
            #expect(node.holders.nextDeadline > node.now)
        }
        // Once all is silent, nothing is left but objects that too few keep.
        _ = node.pass(.seconds(60))
        let open = labels.known.count { node.holders.owns($0) }
        #expect(open <= 14)
    }

    private func step(_ node: inout HolderNode, _ labels: Labels, _ random: inout SplitMix64) -> [HolderEffect] {
        let tag = ObjectTag(HolderNode.object.value + random.next() % 6)
        let label = labels.known[Int(random.next() % UInt64(labels.known.count))]
        let other = PathLabel(random.next() % 30)
        let ids = (1...6).map { HolderNode.id(HolderNode.piece($0, of: tag)).shortID }
        let message: HolderMessage
        switch random.next() % 10 {
        case 0: node.holders.handOver(tag, isOwn: random.next() % 2 == 0, now: node.now)
        case 1: node.holders.fetch(tag, inCrowd: random.next() % 2 == 0, now: node.now)
        case 2: node.holders.endFetch(tag)
        case 3: node.holders.lose(other, now: node.now)
        case 4: node.depth = UInt8(random.next() % 9)
        case 5:
            let number = random.next()
            let hash = HolderNode.cryptography.shortHash(of: tag.value, salt: number)
            let place = UInt16(truncatingIfNeeded: random.next())
            let fetch = Seek.holders(of: tag, number: number, tagHash: hash)
            let keep = Seek.keepers(of: place, depth: UInt8(random.next() % 9), number: number)
            return node.receive(random.next() % 2 == 0 ? fetch : keep, as: other)
        default:
            switch random.next() % 4 {
            case 0: message = .ready(Shelf(of: 0x8000, depth: UInt8(random.next() % 17)))
            case 1: message = .offer(tag, Array(ids.prefix(1 + Int(random.next() % 6))))
            case 2: message = .want(Array(ids.suffix(1 + Int(random.next() % 6))))
            default: message = .piece(HolderNode.piece(UInt8(1 + random.next() % 6), of: tag).encoded())
            }
            return node.receive(message, to: label, from: random.next() % 4 == 0 ? nil : other, over: random.next() % 5)
        }
        return node.takeEffects()
    }
}
