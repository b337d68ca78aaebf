import Testing

@testable import MeshCore

@Suite("Fetching objects from holders")
struct FetchTests {
    private static let ids = (1...4).map { HolderNode.id(HolderNode.piece($0)).shortID }

    private static func seek(_ tag: ObjectTag = HolderNode.object, number: UInt64 = 5) -> Seek {
        .holders(of: tag, number: number, tagHash: HolderNode.cryptography.shortHash(of: tag.value, salt: number))
    }

    /// A node that has searched for an object, with the label of its search.
    private static func fetcher(_ configuration: HolderConfiguration = HolderConfiguration()) throws -> (
        HolderNode, PathLabel
    ) {
        var node = HolderNode(configuration)
        node.holders.fetch(HolderNode.object, inCrowd: false, now: node.now)
        let seek = try #require(node.pass(.seconds(2)).seeks.first)
        #expect(seek == Self.seek(number: seek.number))
        return (node, PathLabel(seek.number))
    }

    @Test("A fetch searches after two seconds, in a crowd after 0.3 s, and not if the object is whole before")
    func patience() {
        for (inCrowd, time) in [(false, 2_000), (true, 300)] as [(Bool, Int)] {
            var node = HolderNode()
            node.holders.fetch(HolderNode.object, inCrowd: inCrowd, now: node.now)
            #expect(node.pass(.milliseconds(time - 1)).seeks.isEmpty)
            #expect(node.pass(.milliseconds(1)).seeks.count == 1)
        }
        var node = HolderNode()
        node.holders.fetch(HolderNode.object, inCrowd: false, now: node.now)
        node.holders.endFetch(HolderNode.object)
        #expect(node.pass(.seconds(3_600)).seeks.isEmpty)
    }

    @Test("Pieces that come by themselves put a fetch off, but junk does not for ever")
    func postponed() {
        var node = HolderNode()
        node.holders.fetch(HolderNode.object, inCrowd: true, now: node.now)
        var count = 0
        while node.pass(.milliseconds(250)).seeks.isEmpty, count < 1_000 {
            node.holders.noteArrival(HolderNode.object, now: node.now)
            count += 1
        }
        #expect((64...73).contains(count))
    }

    @Test("Pieces are asked of several holders, none of two at once, and only delivered")
    func sources() throws {
        var (node, label) = try Self.fetcher()
        let first = node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(1)).sent
        #expect(first.map(\.message) == [.want(Array(Self.ids.prefix(3)))] && first[0].to == PathLabel(1))
        let second = node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(2)).sent
        #expect(second.map(\.message) == [.want([Self.ids[3]])] && second[0].to == PathLabel(2))
        for number in 1...4 as ClosedRange<UInt8> {
            node.receive(.piece(HolderNode.piece(number).encoded()), to: label)
        }
        #expect(node.taken.map(\.id.shortID) == Self.ids && node.taken.allSatisfy { !$0.keeps })
        #expect(node.pass(.seconds(600)).isEmpty && node.holders.nextDeadline == .distantFuture)
    }

    @Test("Pieces that came are not asked of a holder that answers late, and nothing more once the object is whole")
    func late() throws {
        var (node, label) = try Self.fetcher()
        node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(1), over: 1)
        for number in 1...3 as ClosedRange<UInt8> {
            node.receive(.piece(HolderNode.piece(number).encoded()), to: label)
        }
        #expect(node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(2), over: 2).isEmpty)
        node.receive(.piece(HolderNode.piece(4).encoded()), to: label)
        node.holders.endFetch(HolderNode.object)
        #expect(node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(3), over: 3).isEmpty)
        #expect(node.holders.nextDeadline == .distantFuture)
    }

    @Test("A neighbour that answers under many labels keeps no other away: two by one link count")
    func greedy() throws {
        var (node, label) = try Self.fetcher()
        let asked = (1...20).map { number in
            node.receive(
                .offer(HolderNode.object, [UInt64(number)]),
                to: label,
                from: PathLabel(UInt64(number)),
                over: 1
            )
            .sent.count
        }
        #expect(asked.reduce(0, +) == 2)
        let honest = node.receive(.offer(HolderNode.object, Self.ids), to: label, from: PathLabel(99), over: 2).sent
        #expect(honest.map(\.message) == [.want(Array(Self.ids.prefix(3)))])
        // An offer of another object is none.
        #expect(node.receive(.offer(ObjectTag(7), [9]), to: label, from: PathLabel(98), over: 3).isEmpty)
    }

    @Test("A piece that one holder does not send comes from another, and after three times it is given up")
    func silent() throws {
        var (node, label) = try Self.fetcher()
        node.receive(.offer(HolderNode.object, [Self.ids[0]]), to: label, from: PathLabel(1))
        #expect(node.receive(.offer(HolderNode.object, [Self.ids[0]]), to: label, from: PathLabel(2)).isEmpty)
        let asked = node.pass(.seconds(24)).sent.map(\.to)
        #expect(asked.contains(PathLabel(2)) && asked.count <= 5)
        #expect(node.holders.nextDeadline == .distantFuture)
        // It may be fetched again.
        node.holders.fetch(HolderNode.object, inCrowd: false, now: node.now)
        #expect(node.pass(.seconds(2)).seeks.count == 1)
    }

    @Test("A holder answers a fetch with the pieces that it keeps, and no node that has none or another object")
    func answers() {
        var node = HolderNode()
        #expect(node.receive(Self.seek(), as: PathLabel(5)).isEmpty)
        node.keep([1], of: ObjectTag(HolderNode.object.value + 1), isOwn: false)
        #expect(node.receive(Self.seek(), as: PathLabel(5)).isEmpty)
        node.keep([1, 2, 3, 4], isOwn: false)
        let sent = node.receive(Self.seek(), as: PathLabel(5)).sent
        #expect(sent.map(\.message) == [.offer(HolderNode.object, Self.ids)] && sent[0].to == PathLabel(5))
    }

    @Test("A node answers eight searches at once and two a second")
    func answerRate() {
        var node = HolderNode()
        node.keep([1])
        var counts: [Int] = []
        for second in 0..<2 {
            let answers = (0..<50).map { number in
                node.receive(Self.seek(number: UInt64(100 * second + number)), as: PathLabel(UInt64(number)))
            }
            counts.append(answers.count { !$0.isEmpty })
            node.now = node.now.advanced(by: .seconds(1))
        }
        #expect(counts == [8, 2])
    }

    @Test("A lost label ends what goes over it, and others are asked at once for what it was to send")
    func lost() throws {
        var (node, label) = try Self.fetcher()
        node.receive(.offer(HolderNode.object, [Self.ids[0]]), to: label, from: PathLabel(1), over: 1)
        node.receive(.offer(HolderNode.object, [Self.ids[0]]), to: label, from: PathLabel(2), over: 2)
        node.holders.lose(PathLabel(7), now: node.now)
        #expect(node.takeEffects().isEmpty)
        node.holders.lose(PathLabel(1), now: node.now)
        #expect(node.takeEffects().sent.map(\.to) == [PathLabel(2)])
    }

    @Test("Where the rate is used up, those who ask take turns, and get everything in time")
    func turns() throws {
        var configuration = HolderConfiguration()
        (configuration.givenRate, configuration.givenBurst) = (20, Envelope.maximumByteCount)
        var node = HolderNode(configuration)
        node.keep([1, 2, 3, 4])
        let labels = (1...2 as ClosedRange<UInt64>).compactMap { number in
            node.receive(Self.seek(number: number), as: PathLabel(number)).sent.first?.from
        }
        var given: [PathLabel] = []
        for label in labels { given += node.receive(.want(Self.ids), to: label).sent.map(\.to) }
        given += node.pass(.seconds(60)).sent.map(\.to)
        #expect(given.count == 6 && given.count { $0 == PathLabel(1) } == 3)
        // The first takes what there is; then both have one after the other.
        #expect(given == [1, 2, 1, 2, 1, 2].map { PathLabel($0) })
    }

    @Test("Whoever asks for more while they wait gets both, the newest three at most")
    func askingMore() throws {
        for (more, numbers) in [([Self.ids[3]], [1, 2, 3, 4]), (Array(Self.ids.suffix(3)), [1, 2, 3, 4])] {
            var configuration = HolderConfiguration()
            (configuration.givenRate, configuration.givenBurst) = (20, Envelope.maximumByteCount)
            var node = HolderNode(configuration)
            node.keep([1, 2, 3, 4])
            let label = try #require(node.receive(Self.seek(), as: PathLabel(5)).sent.first?.from)
            var sent = node.receive(.want(Array(Self.ids.prefix(3))), to: label).sent
            #expect(sent.count == 1)
            sent += node.receive(.want(more), to: label).sent
            sent += node.pass(.seconds(60)).sent
            #expect(sent.map(\.message) == numbers.map { .piece(HolderNode.piece(UInt8($0)).encoded()) })
        }
    }

    @Test("Searches, objects, and nodes that may ask are limited, and those that are silent for longest make room")
    func limits() throws {
        var configuration = HolderConfiguration()
        (configuration.giftLimit, configuration.collectionLimit, configuration.fetchLimit) = (3, 3, 6)
        var node = HolderNode(configuration)
        node.keep([1])
        let labels = (1...4 as ClosedRange<UInt64>).compactMap { number -> PathLabel? in
            node.now = node.now.advanced(by: .seconds(1))
            return node.receive(Self.seek(number: number), as: PathLabel(number)).sent.first?.from
        }
        let given = labels.map { node.receive(.want([Self.ids[0]]), to: $0).sent.count }
        #expect(given == [0, 1, 1, 1])
        for number in 10..<30 as Range<UInt64> { node.holders.fetch(ObjectTag(number), inCrowd: false, now: node.now) }
        let first = node.pass(.seconds(2)).seeks.count
        let all = first + node.pass(.seconds(10)).seeks.count
        #expect(first == 4 && all == 6)
        let own = (1...4 as ClosedRange<UInt64>).compactMap { number -> PathLabel? in
            node.now = node.now.advanced(by: .seconds(1))
            return node.receive(.keepers(of: 0x8000, depth: 0, number: 7), as: PathLabel(number)).sent.first?.from
        }
        let asked = own.map {
            node.receive(.offer(ObjectTag(0x8000 << 48), [9]), to: $0, from: PathLabel(9)).sent.count
        }
        #expect(asked == [0, 1, 1, 1])
    }
}
