import Testing

@testable import MeshCore

@Suite("Handing objects over")
struct HandOverTests {
    /// An author of three pieces that searches, with its search.
    private static func author(_ configuration: HolderConfiguration = HolderConfiguration()) throws -> (
        HolderNode, Seek
    ) {
        var author = HolderNode(configuration)
        author.depth = 5
        author.keep([1, 2, 3])
        for _ in 1...3 { author.holders.handOver(HolderNode.object, isOwn: true, now: author.now) }
        let seek = try #require(author.pass(.milliseconds(200)).seeks.first)
        return (author, seek)
    }

    /// Has nodes answer a search under the labels 1 and so on, each by its own link; returns the offers to them.
    private static func answer(
        _ count: UInt64,
        _ seek: Seek,
        _ author: inout HolderNode,
        shelf: Shelf = .everything
    ) -> [(to: PathLabel, from: PathLabel?, message: HolderMessage)] {
        for number in 0..<count {
            author.receive(.ready(shelf), to: PathLabel(seek.number), from: PathLabel(number + 1), over: number)
        }
        return author.pass(.milliseconds(1_500)).sent
    }

    @Test(
        "One search follows for all pieces, with the depth of the crowd, and eight nodes that answer are offered them"
    )
    func offers() throws {
        var (author, seek) = try Self.author()
        #expect(seek.purpose == .keep && seek.depth == 5 && seek.place == 0x8000)
        let sent = Self.answer(10, seek, &author)
        #expect(sent.map(\.to) == (1...8).map { PathLabel($0) })
        let ids = (1...3).map { HolderNode.id(HolderNode.piece($0)).shortID }
        #expect(sent.allSatisfy { $0.message == .offer(HolderNode.object, ids) && $0.from != nil })
        // Three confirm that they keep it: then it is done.
        for offer in sent.prefix(3) { author.receive(.ready(.everything), to: try #require(offer.from)) }
        #expect(author.pass(.seconds(7_200)).seeks.isEmpty && author.holders.nextDeadline == .distantFuture)
    }

    @Test("An object that fewer than three nodes confirm is handed over again after a minute, and then ever later")
    func unconfirmed() throws {
        var (author, seek) = try Self.author()
        let sent = Self.answer(3, seek, &author)
        for offer in sent.prefix(2) { author.receive(.ready(.everything), to: try #require(offer.from)) }
        #expect(author.pass(.seconds(79)).seeks.isEmpty)
        #expect(author.pass(.seconds(2)).seeks.map(\.depth) == [5])
    }

    @Test("An offered piece goes to those who ask, three at a time, and to nobody else")
    func gives() throws {
        var (author, seek) = try Self.author()
        let offer = try #require(Self.answer(3, seek, &author).first)
        author.keep([4, 5])
        let ids = (1...5).map { HolderNode.id(HolderNode.piece($0)).shortID }
        let given = author.receive(.want(ids), to: try #require(offer.from)).sent
        #expect(given.map(\.to) == [offer.to, offer.to, offer.to])
        #expect(given.map(\.message) == (1...3).map { .piece(HolderNode.piece($0).encoded()) })
        #expect(author.receive(.want(ids), to: PathLabel(99)).isEmpty)
        #expect(author.receive(.want([77]), to: try #require(offer.from)).isEmpty)
    }

    @Test("A node that fetches an object cannot confirm for others that they keep it")
    func falseConfirmations() throws {
        var (author, seek) = try Self.author()
        _ = Self.answer(3, seek, &author)
        for number in 1...4 as ClosedRange<UInt64> {
            let hash = HolderNode.cryptography.shortHash(of: HolderNode.object.value, salt: number)
            let fetch = Seek.holders(of: HolderNode.object, number: number, tagHash: hash)
            let offer = try #require(author.receive(fetch, as: PathLabel(100 + number)).sent.first)
            author.receive(.ready(.everything), to: try #require(offer.from))
        }
        #expect(author.pass(.seconds(81)).seeks.map(\.purpose) == [.keep])
    }

    @Test("With fewer than three answers the depth falls by one bit at a time to two less, then all begins anew later")
    func fewAnswers() throws {
        var (author, seek) = try Self.author()
        var depths = [seek.depth]
        for _ in 1...2 { depths += author.pass(.milliseconds(1_500)).seeks.map(\.depth) }
        #expect(depths == [5, 4, 3])
        #expect(author.pass(.seconds(61)).seeks.isEmpty)
        #expect(author.pass(.seconds(1)).seeks.map(\.depth) == [5])
    }

    @Test("Four answers by one link count, and each label once")
    func answersByOneLink() throws {
        var (author, seek) = try Self.author()
        for number in 1...64 as ClosedRange<UInt64> {
            author.receive(.ready(.everything), to: PathLabel(seek.number), from: PathLabel(number), over: 1)
        }
        for _ in 1...3 { author.receive(.ready(.everything), to: PathLabel(seek.number), from: PathLabel(70), over: 2) }
        let sent = author.pass(.milliseconds(1_500)).sent
        #expect(Set(sent.map(\.to)) == Set([1, 2, 3, 4, 70].map { PathLabel($0) }) && sent.count == 5)
    }

    @Test("Pieces that come during a search are offered with the others, and those that come later in a moment")
    func growing() throws {
        var (author, seek) = try Self.author()
        author.keep([4])
        author.holders.handOver(HolderNode.object, isOwn: true, now: author.now)
        let ids = (1...5).map { HolderNode.id(HolderNode.piece($0)).shortID }
        let first = Self.answer(3, seek, &author)
        #expect(
            first.map(\.message) == [HolderMessage](repeating: .offer(HolderNode.object, Array(ids[..<4])), count: 3)
        )
        author.keep([5])
        author.holders.handOver(HolderNode.object, isOwn: true, now: author.now)
        let effects = author.pass(.milliseconds(200))
        #expect(effects.seeks.isEmpty)
        #expect(effects.sent.map(\.message) == [HolderMessage](repeating: .offer(HolderNode.object, ids), count: 3))
    }

    @Test("The next object goes to the same nodes as far as their shelves cover it, and else after another search")
    func nextObject() throws {
        var (author, seek) = try Self.author()
        _ = Self.answer(3, seek, &author, shelf: Shelf(of: 0x8000, depth: 1))
        let (near, far) = (ObjectTag(0xC000_0000_0000_0000), ObjectTag(0x1000_0000_0000_0000))
        for tag in [near, far] {
            author.keep([1], of: tag)
            author.holders.handOver(tag, isOwn: true, now: author.now)
        }
        let effects = author.pass(.milliseconds(200))
        #expect(effects.sent.count == 3 && effects.seeks.map(\.place) == [0x1000])
    }

    @Test("One search for keepers is under way at a time, and an object of which nothing is left is forgotten")
    func oneSearch() throws {
        var (author, _) = try Self.author()
        author.keep([1], of: ObjectTag(7))
        for number in 7...8 as ClosedRange<UInt64> {
            author.holders.handOver(ObjectTag(number), isOwn: true, now: author.now)
        }
        #expect(author.pass(.milliseconds(400)).seeks.isEmpty)
        // Each is sought three times before it waits for a minute. The third object has no piece.
        let places = author.pass(.seconds(20)).seeks.map(\.place)
        #expect(places.count { $0 == 0x8000 } == 2 && places.count { $0 == 0 } == 3)
    }

    @Test("Own objects wait beside as many of others, none in the place of another")
    func limits() {
        var configuration = HolderConfiguration()
        configuration.objectLimit = 3
        var node = HolderNode(configuration)
        for number in 1...5 as ClosedRange<UInt64> {
            node.keep([1], of: ObjectTag(number))
            node.holders.handOver(ObjectTag(number), isOwn: false, now: node.now)
        }
        node.keep([1], of: ObjectTag(1 << 56))
        node.holders.handOver(ObjectTag(1 << 56), isOwn: true, now: node.now)
        let places = node.pass(.seconds(30)).seeks.map(\.place)
        #expect(places.count >= 4 && node.depth == 0)
    }

    @Test("A node keeps what it is offered if its place has the first bits and its crowd is not much larger")
    func keeps() {
        func answers(_ place: UInt16, depth: UInt8 = 5) -> Int {
            var node = HolderNode()
            node.depth = depth
            return node.receive(.keepers(of: place, depth: 5, number: 1), as: PathLabel(1)).sent.count
        }
        #expect(answers(0x8000) == 1 && answers(0x8400) == 1 && answers(0x8800) == 0)
        #expect(answers(0x8000, depth: 7) == 1 && answers(0x8000, depth: 8) == 0)
    }

    @Test("A keeper asks for three pieces at a time, confirms all, and keeps more objects than one")
    func collects() throws {
        var node = HolderNode()
        let ready = try #require(node.receive(.keepers(of: 0x8000, depth: 0, number: 1), as: PathLabel(1)).sent.first)
        #expect(ready.message == .ready(.everything) && ready.to == PathLabel(1))
        let own = try #require(ready.from)
        let pieces = (1...5).map { HolderNode.piece($0) }
        let ids = pieces.map { HolderNode.id($0).shortID }
        var sent = node.receive(.offer(HolderNode.object, ids), to: own, from: PathLabel(2)).sent
        #expect(sent.map(\.message) == [.want(Array(ids.prefix(3)))] && sent[0].to == PathLabel(2))
        for (number, piece) in pieces.enumerated() {
            sent = node.receive(.piece(piece.encoded()), to: own).sent
            #expect(
                sent.map(\.message) == [[.want([ids[3]])], [.want([ids[4]])], [], [], [.ready(.everything)]][number]
            )
        }
        #expect(node.taken.map(\.id.shortID) == ids && node.taken.allSatisfy(\.keeps))
        // It has all of it already.
        sent = node.receive(.offer(HolderNode.object, ids), to: own, from: PathLabel(4)).sent
        #expect(sent.map(\.message) == [.ready(.everything)] && sent[0].to == PathLabel(4))
        sent = node.receive(.offer(ObjectTag(7), [99]), to: own, from: PathLabel(3)).sent
        #expect(sent.map(\.message) == [.want([99])])
    }

    @Test("A keeper confirms nothing of which it had no room for a piece, and takes pieces that come late")
    func refuses() throws {
        for hasRoom in [true, false] {
            var node = HolderNode()
            let ready = node.receive(.keepers(of: 0x8000, depth: 0, number: 1), as: PathLabel(1)).sent
            let own = try #require(ready.first?.from)
            let pieces = (1...4).map { HolderNode.piece($0) }
            let ids = pieces.map { HolderNode.id($0) }
            if !hasRoom { node.refused = ids[1] }
            node.receive(.offer(HolderNode.object, ids.map(\.shortID)), to: own, from: PathLabel(2))
            // They are asked for again after three seconds, and then all come at once.
            _ = node.pass(.seconds(4))
            let sent = pieces.flatMap { node.receive(.piece($0.encoded()), to: own).sent }
            #expect(node.taken.count == 4)
            #expect(sent.contains { $0.message == .ready(.everything) } == hasRoom)
        }
    }

    @Test("Of nodes that answer, those count whose shelves cover the whole place, and one near it answers at any depth")
    func shelves() throws {
        var (author, seek) = try Self.author()
        #expect(Self.answer(5, seek, &author, shelf: Shelf(of: 0, depth: 8)).isEmpty)
        var node = HolderNode()
        node.store.setShelf(place: 0x8700, depth: 8)
        let ready = node.receive(.keepers(of: 0x8000, depth: 5, number: 1), as: PathLabel(1)).sent
        #expect(ready.map(\.message) == [.ready(Shelf(of: 0x8700, depth: 8))])
    }

    @Test("Eight objects are offered at a time, and the next ones follow as soon as those are confirmed")
    func album() throws {
        var (author, seek) = try Self.author()
        let first = Self.answer(3, seek, &author)
        let tags = (1...16).map { ObjectTag(HolderNode.object.value + UInt64($0)) }
        for tag in tags {
            author.keep([1], of: tag)
            author.holders.handOver(tag, isOwn: true, now: author.now)
        }
        var offers = first + author.pass(.milliseconds(200)).sent
        #expect(Set(offers.map(\.message)).count == 8 && offers.count == 24)
        var rounds = 0
        while !offers.isEmpty, rounds < 10 {
            for offer in offers { author.receive(.ready(.everything), to: try #require(offer.from)) }
            offers = author.pass(.milliseconds(1_500)).sent
            rounds += 1
        }
        #expect(rounds == 3)
        let later = author.pass(.seconds(7_200))
        #expect(later.seeks.isEmpty && later.sent.isEmpty)
    }

    @Test("Nothing is taken that was not asked for: another id, another object, twice, or after silence")
    func unasked() throws {
        var node = HolderNode()
        let ready = node.receive(.keepers(of: 0x8000, depth: 0, number: 1), as: PathLabel(1)).sent
        let own = try #require(ready.first?.from)
        let piece = HolderNode.piece(1)
        node.receive(.piece(piece.encoded()), to: own)
        node.receive(.offer(HolderNode.object, [HolderNode.id(piece).shortID]), to: own, from: PathLabel(2))
        node.receive(.piece(HolderNode.piece(2).encoded()), to: own)
        node.receive(.piece(HolderNode.piece(1, of: ObjectTag(7)).encoded()), to: own)
        #expect(node.taken.isEmpty)
        node.receive(.piece(piece.encoded()), to: own)
        node.receive(.piece(piece.encoded()), to: own)
        #expect(node.taken.count == 1)
        _ = node.pass(.seconds(20))
        #expect(node.receive(.offer(HolderNode.object, [99]), to: own, from: PathLabel(2)).isEmpty)
        #expect(node.ended == [own])
    }

    @Test("Offers without end neither grow a collection nor keep it alive")
    func endlessOffers() throws {
        var node = HolderNode()
        let ready = node.receive(.keepers(of: 0x8000, depth: 0, number: 1), as: PathLabel(1)).sent
        let own = try #require(ready.first?.from)
        var asked = 0
        for second in 0..<19 as Range<UInt64> {
            for number in 0..<10 as Range<UInt64> {
                let offer = HolderMessage.offer(ObjectTag(number), [second * 100 + number])
                asked += node.receive(offer, to: own, from: PathLabel(1_000 + second * 100 + number)).sent.count
            }
            asked += node.pass(.seconds(1)).sent.count
        }
        // Eight at a time, each asked three times.
        #expect(asked <= 3 * 8 * 3)
        _ = node.pass(.seconds(1))
        #expect(node.ended == [own])
    }
}
