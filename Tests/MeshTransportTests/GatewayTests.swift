import MeshCore
import Testing

@testable import MeshTransport

@Suite("Nodes with a gateway", .timeLimit(.minutes(30)))
struct GatewayTests {
    @Test("Mail that one node writes reaches the gateway of another, and what that fetches reaches the first")
    func bothWays() async throws {
        let configuration = try await MeshNode.Configuration.loopback([.unused()])
        let (left, right) = (TestNode(configuration), TestNode(configuration))
        let (mail, answer) = ([UInt8](repeating: 1, count: 100), [UInt8](repeating: 2, count: 100))
        try await withRunning([left, right]) {
            try await left.linked(to: right.id)
            await right.node.submit(kind: 8, body: answer, life: 60)
            var reports = await right.node.farEnvelopes().makeAsyncIterator()
            #expect(await reports.next()?.envelope.body == answer)
            let id = await left.node.submit(kind: 8, body: mail, life: 60)
            let report = await reports.next()
            #expect(report?.id == id && report?.link != nil)
            let fetched = [UInt8](repeating: 3, count: 100)
            await right.node.inject([Envelope(kind: 8, life: 60, body: fetched)])
            try await left.received(fetched)
            // Another gateway takes its place, and the end of the node ends that.
            let later = await right.node.farEnvelopes()
            #expect(await reports.next() == nil)
            await right.node.stop()
            #expect(await later.reduce(into: []) { $0.append($1.envelope.body) } == [answer, mail])
            #expect(await right.node.farEnvelopes().reduce(0) { count, _ in count + 1 } == 0)
        }
    }
}
