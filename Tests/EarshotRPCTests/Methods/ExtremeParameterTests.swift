import Earshot
import EarshotRPC
import Foundation
import Testing

@Suite("No number of a client stops a node", .timeLimit(.minutes(30)))
struct ExtremeParameterTests {
    private static let numbers = [
        "0", "1", "-1", "0.5", "2147483647", "2147483648", "4294967295", "9007199254740992", "9223372036854775808",
        "18446744073709551615", "1e308", "-1e308",
    ]

    /// Returns calls with `N` in place of each number.
    private static func calls(_ peer: String, _ message: String) -> [(String, String)] {
        [
            ("send", #"{"to":"\#(peer)","text":"tea","expiresAfter":N}"#),
            ("send", #"{"to":"\#(peer)","images":["/nowhere.png"],"longestEdge":N}"#),
            ("poll.create", #"{"to":"\#(peer)","question":"Tea?","options":["yes","no"],"expiresAfter":N}"#),
            ("poll.vote", #"{"poll":"\#(message)","options":[N]}"#),
            ("timer", #"{"conversation":"\#(peer)","expiresAfter":N}"#),
            ("history", #"{"conversation":"\#(peer)","limit":N}"#),
            ("history", #"{"conversation":"\#(peer)","before":N}"#),
            ("history.window", #"{"conversation":"\#(peer)","limit":N}"#),
            ("history.window", #"{"conversation":"\#(peer)","index":N}"#),
            ("search", #"{"query":"tea","limit":N}"#), ("search", #"{"query":"tea","before":N}"#),
            ("retention", #"{"conversation":"\#(peer)","age":N}"#),
            ("retention", #"{"conversation":"\#(peer)","messages":N}"#),
            ("retention", #"{"conversation":"\#(peer)","bytes":N}"#),
            ("media", #"{"message":"\#(message)","index":N}"#), ("fetchMedia", #"{"message":"\#(message)","index":N}"#),
            ("cancelMedia", #"{"message":"\#(message)","index":N}"#), ("page", #"{"port":N}"#),
            ("mute", #"{"conversation":"\#(peer)","until":N}"#),
            ("room.create", #"{"title":"R","admission":"open","expiresAfter":N}"#),
            ("room.create", #"{"title":"R","admission":"open","maximumMembers":N}"#),
            ("group.history", #"{"group":"\#(peer)","history":"last:N"}"#),
            ("typing", #"{"conversation":"\#(peer)","typing":N}"#), ("status", #"{"extra":N}"#),
        ]
    }

    private func result(_ method: String, _ parameters: String, of dispatcher: RPCDispatcher) async throws -> String {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        return String(decoding: try #require(await dispatcher.answer(Array(line.utf8)).line), as: UTF8.self)
    }

    private func withNodes(_ body: (RPCDispatcher) async throws -> Void) async throws {
        let (node, friend) = try await ChatNode.pair()
        try await body(RPCDispatcher(node: node))
        await node.stop()
        await friend.stop()
    }

    @Test("Every number of every parameter at its extremes is taken or refused, and the node goes on")
    func parameters() async throws {
        try await withNodes { dispatcher in
            let question = #"{"to":"Bob","question":"Tea?","options":["a","b"]}"#
            let poll = try await result("poll.create", question, of: dispatcher)
            let message = try #require(poll.firstMatch(of: /"message":"([0-9a-f]{32})"/)?.1)
            var taken = 0
            for (method, parameters) in Self.calls("Bob", String(message)) {
                for number in Self.numbers {
                    let filled = parameters.replacingOccurrences(of: "N", with: number)
                    if try await result(method, filled, of: dispatcher).contains(#""result""#) { taken += 1 }
                }
            }
            #expect(taken > Self.numbers.count)
            _ = try await result("timer", #"{"conversation":"Bob","expiresAfter":0}"#, of: dispatcher)
            _ = try await result("retention", #"{"conversation":"Bob","forever":true}"#, of: dispatcher)
            let sent = try await result("send", #"{"to":"Bob","text":"still here"}"#, of: dispatcher)
            #expect(sent.contains(#""message""#), "\(sent)")
        }
    }
}
