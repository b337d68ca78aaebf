import ChatCrypto
import Earshot
import Synchronization
import Testing

@testable import ChatCore

@Suite("The feed of events")
struct EventFeedTests {
    @Test("A subscriber that is too slow is told how much it missed, and goes on")
    func lagging() async throws {
        let feed = EventFeed()
        var events = try feed.subscribe().makeAsyncIterator()
        for count in 0..<ChatLimits.eventBacklog + 10 { feed.notify(.linkUp(count: count)) }
        for count in 0..<ChatLimits.eventBacklog {
            #expect(await events.next(isolation: nil) == .linkUp(count: count))
        }
        feed.notify(.linkDown(count: 1))
        #expect(await events.next(isolation: nil) == .lagged(dropped: 10))
        #expect(await events.next(isolation: nil) == .linkDown(count: 1))
        feed.finish()
        #expect(await events.next(isolation: nil) == nil)
    }

    @Test("What is missed while there is room for one event only is counted too")
    func laggingAgain() async throws {
        let feed = EventFeed()
        var events = try feed.subscribe().makeAsyncIterator()
        for count in 0..<ChatLimits.eventBacklog + 3 { feed.notify(.linkUp(count: count)) }
        _ = await events.next(isolation: nil)
        // There is room for one event: the report of 3. The feed drops the event that came with it.
        feed.notify(.linkDown(count: 1))
        for _ in 1..<ChatLimits.eventBacklog { _ = await events.next(isolation: nil) }
        #expect(await events.next(isolation: nil) == .lagged(dropped: 3))
        feed.notify(.linkDown(count: 2))
        #expect(await events.next(isolation: nil) == .lagged(dropped: 1))
        #expect(await events.next(isolation: nil) == .linkDown(count: 2))
    }

    /// A sequence that ends when it is let go.
    private final class Held: Sendable {
        let events: Mutex<ChatEvents?>

        init(_ events: ChatEvents) { self.events = Mutex(events) }
    }

    @Test("A reader that ends while an event is passed on holds nobody up")
    func endsMeanwhile() throws {
        let feed = EventFeed()
        let held = Held(try feed.subscribe())
        let changes = try feed.changes { _ in
            held.events.withLock { $0 = nil }
            return true
        }
        feed.notify(.linkUp(count: 1))
        #expect(feed.readerCount == 1)
        withExtendedLifetime(changes) {}
    }

    @Test("One subscriber more than there may be is refused, and the others hear everything")
    func subscriberLimit() async throws {
        let feed = EventFeed()
        let streams = try (0..<ChatLimits.subscriberCount).map { _ in try feed.subscribe() }
        let error = #expect(throws: ChatError.self) { try feed.subscribe() }
        #expect(error?.code == .limited)
        feed.notify(.linkUp(count: 1))
        feed.finish()
        for stream in streams { #expect(await stream.reduce(0) { count, _ in count + 1 } == 1) }
        #expect(feed.readerCount == 0)
    }

    @Test("An observer is told of what interests it, once for many events, and one too many is refused")
    func observing() async throws {
        let feed = EventFeed()
        let changes = try feed.changes { if case .linkUp = $0 { true } else { false } }
        let others = try (1..<ChatLimits.subscriberCount).map { _ in try feed.changes { _ in true } }
        let error = #expect(throws: ChatError.self) { try feed.changes { _ in true } }
        #expect(error?.code == .limited)
        feed.notify(.linkDown(count: 0))
        for count in 1...9 { feed.notify(.linkUp(count: count)) }
        feed.finish()
        #expect(await changes.reduce(0) { count, _ in count + 1 } == 1)
        for other in others { #expect(await other.reduce(0) { count, _ in count + 1 } == 1) }
    }

    @Test("Who missed the last that happened is told so without anything else happening")
    func laggedAtTheEnd() async throws {
        let feed = EventFeed()
        let events = try feed.subscribe()
        for count in 0...ChatLimits.eventBacklog { feed.notify(.linkUp(count: count)) }
        var reader = events.makeAsyncIterator()
        for count in 0..<ChatLimits.eventBacklog { #expect(await reader.next() == .linkUp(count: count)) }
        #expect(await reader.next() == .lagged(dropped: 1))
    }

    @Test("An iteration continues where an earlier one of the same sequence ended")
    func continued() async throws {
        let feed = EventFeed()
        let events = try feed.subscribe()
        for count in 1...3 { feed.notify(.linkUp(count: count)) }
        for await _ in events { break }
        feed.finish()
        #expect(await events.reduce(into: []) { $0.append($1) } == [.linkUp(count: 2), .linkUp(count: 3)])
    }

    @Test("A reader that waits gets the next event, and one that is cancelled ends and leaves the feed")
    func waiting() async throws {
        let feed = EventFeed()
        let (got, report) = AsyncStream.makeStream(of: ChatEvent?.self)
        let reader = Task { [events = try feed.subscribe()] in
            for await event in events { report.yield(event) }
            report.yield(nil)
        }
        var received = got.makeAsyncIterator()
        for count in 1...100 {
            feed.notify(.linkUp(count: count))
            #expect(await received.next() == .linkUp(count: count))
        }
        reader.cancel()
        #expect(await received.next() == .some(nil))
        await reader.value
        #expect(feed.readerCount == 0)
    }

    @Test("A cancelled reader ends, also while more events come than it can read")
    func cancelled() async throws {
        let feed = EventFeed()
        let events = try feed.subscribe()
        for count in 0..<8 { feed.notify(.linkUp(count: count)) }
        let count = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await events.reduce(0) { count, _ in
                feed.notify(.linkUp(count: count))
                return count + 1
            }
        }.value
        #expect(count == 8)
    }

    @Test("Readers that are gone take no room, also while nothing happens")
    func goneReaders() async throws {
        let feed = EventFeed()
        let kept = try feed.subscribe()
        for _ in 0..<2 * ChatLimits.subscriberCount {
            _ = try feed.subscribe()
            _ = try feed.changes { _ in true }
        }
        #expect(feed.readerCount == 1)
        feed.notify(.linkUp(count: 2))
        feed.finish()
        #expect(await kept.reduce(into: []) { $0.append($1) } == [.linkUp(count: 2)])
    }
}
