import Testing

@testable import EarshotRPC

@Suite("Events a client holds")
struct ClientEventsTests {
    @Test("A program that takes none misses those over the limit and is told how many")
    func lag() async {
        var queue = ClientEvents()
        for count in 1...RPCLimits.clientEventCount + 500 { queue.add(.linkUp(links: count)) }
        var iterator = queue.stream.makeAsyncIterator()
        // The buffer of one holds `lagged` alone; the event after it is missed too and counted next time.
        #expect(await iterator.next() == .linkUp(links: 1))
        queue.add(.linkUp(links: 0))
        for count in 2...RPCLimits.clientEventCount { #expect(await iterator.next() == .linkUp(links: count)) }
        #expect(await iterator.next() == .lagged(dropped: 500))
        queue.add(.linkUp(links: 9))
        #expect(await iterator.next() == .lagged(dropped: 1))
        #expect(await iterator.next() == .linkUp(links: 9))
        queue.finish()
        #expect(await iterator.next() == nil)
    }
}
