import ChatCrypto
import Earshot
import Testing

@testable import ChatCore

@Suite("The feed of events")
struct EventFeedTests {
    @Test("A subscriber that is too slow is told how much it missed, and goes on")
    func lagging() async {
        let feed = EventFeed()
        var events = feed.subscribe().makeAsyncIterator()
        for count in 0..<ChatLimits.eventBacklog + 10 { feed.tell(.linkUp(count: count)) }
        for count in 0..<ChatLimits.eventBacklog {
            #expect(await events.next(isolation: nil) == .linkUp(count: count))
        }
        feed.tell(.linkDown(count: 1))
        #expect(await events.next(isolation: nil) == .lagged(dropped: 10))
        #expect(await events.next(isolation: nil) == .linkDown(count: 1))
        feed.finish()
        #expect(await events.next(isolation: nil) == nil)
    }

    @Test("What is missed while there is room for one event only is counted too")
    func laggingAgain() async {
        let feed = EventFeed()
        var events = feed.subscribe().makeAsyncIterator()
        for count in 0..<ChatLimits.eventBacklog + 3 { feed.tell(.linkUp(count: count)) }
        _ = await events.next(isolation: nil)
        // There is room for one event: the report of 3. The feed drops the event that came with it.
        feed.tell(.linkDown(count: 1))
        for _ in 1..<ChatLimits.eventBacklog { _ = await events.next(isolation: nil) }
        #expect(await events.next(isolation: nil) == .lagged(dropped: 3))
        feed.tell(.linkDown(count: 2))
        #expect(await events.next(isolation: nil) == .lagged(dropped: 1))
        #expect(await events.next(isolation: nil) == .linkDown(count: 2))
    }

    @Test("With one subscriber more than there may be, the oldest one's sequence ends")
    func subscriberLimit() async {
        let feed = EventFeed()
        let streams = (0...ChatLimits.subscriberCount).map { _ in feed.subscribe() }
        feed.tell(.linkUp(count: 1))
        feed.finish()
        var counts: [Int] = []
        for stream in streams { counts.append(await stream.reduce(0) { count, _ in count + 1 }) }
        #expect(counts == [0] + Array(repeating: 1, count: ChatLimits.subscriberCount))
    }

    @Test("A watcher hears its own message's statuses and ends with the final one")
    func watching() async throws {
        let feed = EventFeed()
        let conversation = ConversationID.direct(try #require(PeerID(bytes: randomBytes(32))))
        let id = try #require(MessageID(bytes: randomBytes(16)))
        let other = try #require(MessageID(bytes: randomBytes(16)))
        let watched = feed.watch(id, present: .queued)
        feed.tell(.status(conversation, other, .delivered))
        for status in [DeliveryStatus.sent, .carried, .delivered, .read, .read] {
            feed.tell(.status(conversation, id, status))
        }
        #expect(await watched.reduce(into: []) { $0.append($1) } == [.queued, .sent, .carried, .delivered, .read])
        let late = feed.watch(id, present: .failed(.expired))
        #expect(await late.reduce(into: []) { $0.append($1) } == [.failed(.expired)])
    }

    @Test("With one watcher more than there may be, the oldest one's sequence ends")
    func watcherLimit() async throws {
        let feed = EventFeed()
        let conversation = ConversationID.direct(try #require(PeerID(bytes: randomBytes(32))))
        let id = try #require(MessageID(bytes: randomBytes(16)))
        let streams = (0...ChatLimits.subscriberCount).map { _ in feed.watch(id, present: .queued) }
        feed.tell(.status(conversation, id, .read))
        var counts: [Int] = []
        for stream in streams { counts.append(await stream.reduce(0) { count, _ in count + 1 }) }
        #expect(counts == [1] + Array(repeating: 2, count: ChatLimits.subscriberCount))
    }

    @Test("Who missed the last that happened is told so without anything else happening")
    func laggedAtTheEnd() async {
        let feed = EventFeed()
        let events = feed.subscribe()
        for count in 0...ChatLimits.eventBacklog { feed.tell(.linkUp(count: count)) }
        feed.tellLag()
        #expect(feed.isBehind)
        var reader = events.makeAsyncIterator()
        _ = await reader.next()
        feed.tellLag()
        #expect(!feed.isBehind)
        feed.finish()
        var last: ChatEvent?
        while let event = await reader.next() { last = event }
        #expect(last == .lagged(dropped: 1))
    }

    @Test("A subscriber that is gone takes no room")
    func goneSubscriber() async {
        let feed = EventFeed()
        for _ in 0..<ChatLimits.subscriberCount { _ = feed.subscribe() }
        feed.tell(.linkUp(count: 1))
        let streams = (0..<ChatLimits.subscriberCount).map { _ in feed.subscribe() }
        feed.tell(.linkUp(count: 2))
        feed.finish()
        #expect(await streams[0].reduce(into: []) { $0.append($1) } == [.linkUp(count: 2)])
    }
}
