import ChatCrypto
import EarshotRPC
import Foundation
import Synchronization
import Testing

@testable import Earshot

@Suite("Session", .timeLimit(.minutes(30)))
struct RPCSessionTests {
    private static func event(_ json: String) -> String { #"{"jsonrpc":"2.0","method":"event","params":\#(json)}"# }
    private static func linkUp(_ count: Int) -> String { event(#"{"links":\#(count),"type":"link.up"}"#) }
    private static func done(_ id: Int) -> String { #"{"id":\#(id),"jsonrpc":"2.0","result":{}}"# }

    private static func subscribe(_ id: Int, _ types: String? = nil) -> [UInt8] {
        let parameters = types.map { #","params":{"events":\#($0)}"# } ?? ""
        return Array((#"{"jsonrpc":"2.0","method":"subscribe"\#(parameters),"id":\#(id)}"# + "\n").utf8)
    }

    /// A session on a stream of chunks that the test feeds.
    private struct Client {
        let node: ChatNode
        let sink: LineCollector
        let input: AsyncThrowingStream<[UInt8], any Error>.Continuation
        let serving: Task<Void, Never>
        let shutdowns = Shutdowns()

        init(
            _ node: ChatNode? = nil,
            room: Int = .max,
            waitingCount: Int = RPCLimits.waitingCount
        ) async throws {
            let node = if let node { node } else { try await ChatNode.alice() }
            let sink = LineCollector(room: room)
            let (chunks, input) = AsyncThrowingStream<[UInt8], any Error>.makeStream()
            self.node = node
            self.sink = sink
            self.input = input
            let shutdowns = shutdowns
            serving = Task {
                let session = RPCSession(node: node, sink: sink, waitingCount: waitingCount) {
                    shutdowns.count.withLock { $0 += 1 }
                }
                await session.serve(chunks)
                sink.finish()
            }
        }
    }

    private final class Shutdowns: Sendable {
        let count = Mutex(0)
    }

    @Test("Events come after the answer to subscribing, in the order the node told them")
    func order() async throws {
        let client = try await Client()
        client.input.yield(Self.subscribe(1))
        #expect(await client.sink.next(1) == [Self.done(1)])
        for count in 1...500 { await client.node.account.notify(.linkUp(count: count)) }
        #expect(await client.sink.next(500) == (1...500).map(Self.linkUp))
        client.input.finish()
        await client.serving.value
    }

    @Test("Only what was asked for comes, and asking again changes it")
    func filter() async throws {
        let client = try await Client()
        client.input.yield(Self.subscribe(1, #"["link.down"]"#))
        #expect(await client.sink.next(1) == [Self.done(1)])
        await client.node.account.notify(.linkUp(count: 1))
        await client.node.account.notify(.linkDown(count: 0))
        let down = Self.event(#"{"links":0,"type":"link.down"}"#)
        #expect(await client.sink.next(1) == [down])
        client.input.yield(Self.subscribe(2, #"["link.up"]"#))
        #expect(await client.sink.next(1) == [Self.done(2)])
        await client.node.account.notify(.linkDown(count: 0))
        await client.node.account.notify(.linkUp(count: 7))
        #expect(await client.sink.next(1) == [Self.linkUp(7)])
        client.input.finish()
        await client.serving.value
    }

    @Test("A client that does not read misses events and is told how many")
    func lag() async throws {
        // The sink has room for the answer and one event; the pump then holds the next event and waits.
        let client = try await Client(room: 2)
        client.input.yield(Self.subscribe(1))
        #expect(await client.sink.next(1) == [Self.done(1)])
        let total = 3_000
        for count in 1...total { await client.node.account.notify(.linkUp(count: count)) }
        client.sink.open()
        // The number is what the node keeps for one subscriber; the session held at most one more.
        var came = await client.sink.next(ChatLimits.eventBacklog).count
        await client.node.account.notify(.linkDown(count: 0))
        var dropped = 0
        reading: while let line = await client.sink.next(1).first {
            switch try RPCCoding.decode(Notification.self, from: Array(line.utf8)).params {
            case .linkUp: came += 1
            case .lagged(let count): dropped += count
            default: break reading
            }
        }
        #expect(came + dropped == total)
        #expect(dropped >= total - ChatLimits.eventBacklog - 1)
        client.input.finish()
        await client.serving.value
    }

    private struct Notification: Decodable {
        let params: RPCEvent
    }

    private static func ping(_ id: Int) -> [UInt8] {
        Array((#"{"jsonrpc":"2.0","method":"ping","params":{"peer":"Bob"},"id":\#(id)}"# + "\n").utf8)
    }

    private static func markRead(_ id: Int) -> [UInt8] {
        Array((#"{"jsonrpc":"2.0","method":"markRead","params":{"conversation":"Bob"},"id":\#(id)}"# + "\n").utf8)
    }

    /// Makes a client of a node whose only peer does not answer any more.
    private static func lonelyClient(waitingCount: Int = RPCLimits.waitingCount) async throws -> Client {
        let (alice, bob) = try await ChatNode.pair()
        let events = try bob.events()
        let hello = try await alice.conversation(.direct(try await alice.contacts.named("Bob").id)).send("Hello")
        // The receipt for an unknown peer's message leaves once the peer is accepted.
        _ = await events.first { if case .message = $0 { true } else { false } }
        _ = try await bob.contacts.decide(.accept, about: await alice.status.id)
        for try await _ in alice.conversation(hello.conversation).statuses(of: hello.id) {}
        await bob.stop()
        return try await Client(alice, waitingCount: waitingCount)
    }

    @Test("Requests that wait for peers hold up no others")
    func waiting() async throws {
        let client = try await Self.lonelyClient()
        let limit = RPCLimits.waitingCount
        for id in 1...limit { client.input.yield(Self.ping(id)) }
        client.input.yield(Self.markRead(1_000))
        let lines = await client.sink.next(limit + 1)
        // On a busy machine the first may have given up by then, but not the last.
        #expect(try #require(lines.firstIndex(of: Self.done(1_000))) < limit)
        #expect(lines.count { $0.contains(#""code":"noAnswer""#) } == limit)
        client.input.finish()
        await client.serving.value
        await client.node.stop()
    }

    @Test("Of too many requests that wait for peers, the next is answered before those that come after it")
    func tooManyWaiting() async throws {
        let client = try await Self.lonelyClient(waitingCount: 1)
        client.input.yield(Self.ping(1))
        client.input.yield(Self.ping(2))
        client.input.yield(Self.markRead(3))
        let lines = await client.sink.next(3)
        let inTurn = try #require(lines.firstIndex { $0.contains(#""id":2,"#) })
        #expect(try #require(lines.firstIndex(of: Self.done(3))) > inTurn)
        #expect(lines.count { $0.contains(#""code":"noAnswer""#) } == 2)
        client.input.finish()
        await client.serving.value
        await client.node.stop()
    }

    @Test("An answer that takes its time still comes after the client's last byte")
    func lateAnswer() async throws {
        let client = try await Self.lonelyClient()
        client.input.yield(Self.ping(1))
        client.input.finish()
        #expect(await client.sink.next(1).first?.contains(#""code":"noAnswer""#) == true)
        await client.serving.value
        await client.node.stop()
    }

    @Test("A line over the limit is answered once, and the session ends")
    func longLine() async throws {
        let client = try await Client()
        client.input.yield([UInt8](repeating: 32, count: RPCLimits.lineByteCount))
        client.input.yield([32])
        await client.serving.value
        #expect(
            await client.sink.next(2) == [
                #"{"error":{"code":-32005,"data":{"code":"tooLarge","limit":1048576},"message":"A line holds at most 1048576 bytes."},"id":null,"jsonrpc":"2.0"}"#
            ]
        )
    }

    @Test("Shutdown is answered and then told, once")
    func shutdown() async throws {
        let client = try await Client()
        client.input.yield(Array(#"{"jsonrpc":"2.0","method":"shutdown","id":1}"#.utf8) + [10])
        #expect(await client.sink.next(1) == [Self.done(1)])
        client.input.finish()
        await client.serving.value
        #expect(client.shutdowns.count.withLock { $0 } == 1)
    }
}
