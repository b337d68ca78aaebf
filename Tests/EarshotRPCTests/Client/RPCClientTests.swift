import ChatCrypto
import EarshotRPC
import Foundation
import Testing

@testable import Earshot

@Suite("Client", .timeLimit(.minutes(30)))
struct RPCClientTests {
    /// A client and a session joined by two pipes, like a parent and a child process.
    private struct Pair {
        let node: ChatNode
        let client: RPCClient
        private let serving: Task<Void, Never>
        private let serverSide: DescriptorConnection

        init() async throws {
            let node = try await ChatNode.alice()
            var toServer: [Int32] = [0, 0]
            var toClient: [Int32] = [0, 0]
            try #require(pipe(&toServer) == 0 && pipe(&toClient) == 0)
            let serverSide = try DescriptorConnection(input: toServer[0], output: toClient[1], ownsDescriptors: true)
            serving = Task { await RPCSession(node: node, sink: serverSide) {}.serve(serverSide.chunks) }
            self.serverSide = serverSide
            self.node = node
            client = await RPCClient(
                try DescriptorConnection(input: toClient[0], output: toServer[1], ownsDescriptors: true)
            )
        }

        func close() async {
            await client.close()
            serverSide.cancel()
            await serving.value
        }
    }

    @Test("What a method answers is what its caller gets")
    func roundTrip() async throws {
        let pair = try await Pair()
        let text = "Zażółć\n🦊\u{0}"
        let sent = try await pair.client.call(SendCall(to: "Bob", text: text)).message
        let status = try await pair.client.call(StatusCall())
        #expect(status.id == (await pair.node.status.id.description) && status.contacts == 2)
        #expect(try await pair.client.call(ContactsCall()) == (await pair.node.contacts.all().map(ContactReply.init)))
        let bob = try await pair.node.contacts.named("Bob").id
        let number = try await pair.client.call(SafetyNumberCall(peer: "Bob")).number
        #expect(number == (try await pair.node.contacts.safetyNumber(with: bob)))
        #expect(try await pair.client.call(VerifyCall(peer: "Bob", number: number)).trust == "verified")
        #expect(try await pair.client.call(TrustCall(peer: "Carol", action: "block")).trust == "blocked")
        #expect(try await pair.client.call(ConversationsCall()).map(\.title) == ["Bob"])
        let page = try await pair.client.call(HistoryCall(conversation: "Bob"))
        let kept = try await pair.node.conversation(.direct(bob)).history(limit: 9).map(MessageReply.init)
        #expect(try RPCCoding.encode(page) == RPCCoding.encode(kept))
        #expect(page.map(\.id) == [sent] && page.map(\.text) == [text])
        #expect(try await pair.client.call(MarkReadCall(conversation: "Bob")) == EmptyReply())
        #expect(try await pair.client.call(ShutdownCall()) == EmptyReply())
        await pair.close()
    }

    @Test("A node's error is thrown as it was sent")
    func errors() async throws {
        let pair = try await Pair()
        let error = await #expect(throws: RPCError.self) {
            try await pair.client.call(VerifyCall(peer: "Bob", number: String(repeating: "1", count: 60)))
        }
        #expect(error?.kind == .numberMismatch)
        let unknown = await #expect(throws: RPCError.self) { try await pair.client.call(SafetyNumberCall(peer: "Zoe")) }
        #expect(
            unknown
                == RPCError(ChatError(.notFound, "No contact is called 'Zoe'. Run 'peers' to list the known peers."))
        )
        await pair.close()
    }

    @Test("Calls made at the same time each get their own answer")
    func concurrency() async throws {
        let pair = try await Pair()
        for count in 0..<100 { _ = try await pair.client.call(SendCall(to: "Bob", text: "\(count)")) }
        let lengths = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for limit in 1...100 {
                group.addTask {
                    (limit, try await pair.client.call(HistoryCall(conversation: "Bob", limit: limit)).count)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(lengths == Dictionary(uniqueKeysWithValues: (1...100).map { ($0, $0) }))
        await pair.close()
    }

    @Test("A request longer than a line is not sent")
    func longRequest() async throws {
        let pair = try await Pair()
        let error = await #expect(throws: RPCError.self) {
            try await pair.client.call(
                SendCall(to: "Bob", text: String(repeating: "x", count: RPCLimits.lineByteCount))
            )
        }
        #expect(error?.kind == .tooLarge)
        #expect(try await pair.node.texts() == [])
        await pair.close()
    }

    @Test("Whoever waits when the connection ends is told")
    func end() async throws {
        var toClient: [Int32] = [0, 0]
        var toServer: [Int32] = [0, 0]
        try #require(pipe(&toServer) == 0 && pipe(&toClient) == 0)
        let client = await RPCClient(
            try DescriptorConnection(input: toClient[0], output: toServer[1], ownsDescriptors: true)
        )
        let answer = Task { try await client.call(StatusCall()) }
        // The request has arrived, so the caller waits; then the node ends.
        var byte: UInt8 = 0
        #expect(read(toServer[0], &byte, 1) == 1)
        close(toClient[1])
        let error = await #expect(throws: RPCError.self) { try await answer.value }
        #expect(error?.kind == .unavailable)
        await client.close()
        close(toServer[0])
    }
}
