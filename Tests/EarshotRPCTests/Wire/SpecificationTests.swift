import Earshot
import EarshotRPC
import Foundation
import Testing

@Suite("JSON-RPC 2.0 as specified")
struct SpecificationTests {
    private static let invalid = #"{"error":{"code":-32600,"data":{"code":"invalidRequest"},"message":"#

    /// A line and the line that answers it; nil for no answer.
    @Test(
        "A line is answered as the specification says",
        arguments: [
            // Ids of every kind return unchanged.
            (
                #"{"jsonrpc":"2.0","method":"markRead","params":{"conversation":"Bob"},"id":7}"#,
                #"{"id":7,"jsonrpc":"2.0","result":{}}"#
            ),
            (#"{"jsonrpc":"2.0","method":"shutdown","id":"x"}"#, #"{"id":"x","jsonrpc":"2.0","result":{}}"#),
            (
                #"{"jsonrpc":"2.0","method":"shutdown","params":null,"id":-3}"#,
                #"{"id":-3,"jsonrpc":"2.0","result":{}}"#
            ),
            (
                #"{"jsonrpc":"2.0","method":"shutdown","params":{},"id":1.5}"#,
                #"{"id":1.5,"jsonrpc":"2.0","result":{}}"#
            ),
            (
                #"{"jsonrpc":"2.0","method":"shutdown","id":123456789012345678901234567890}"#,
                #"{"id":123456789012345678901234567890,"jsonrpc":"2.0","result":{}}"#
            ),
            (#"{"jsonrpc":"2.0","method":"shutdown","id":null}"#, #"{"id":null,"jsonrpc":"2.0","result":{}}"#),
            // Notifications get no answer, not even for errors.
            (#"{"jsonrpc":"2.0","method":"shutdown"}"#, nil),
            (#"{"jsonrpc":"2.0","method":"foobar"}"#, nil),
            (#"{"jsonrpc":"2.0","method":"send","params":{"to":1}}"#, nil),
            (#"[{"jsonrpc":"2.0","method":"shutdown"},{"jsonrpc":"2.0","method":"foobar"}]"#, nil),
            // The specification's own examples of errors.
            (
                #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
                #"{"error":{"code":-32601,"data":{"code":"methodNotFound"},"message":"There is no such method in this release."},"id":"1","jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
                #"{"error":{"code":-32700,"data":{"code":"parseError"},"message":"The line is not JSON."},"id":null,"jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
                invalid + #""The member `method` must be a string."},"id":null,"jsonrpc":"2.0"}"#
            ),
            (
                #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},{"jsonrpc": "2.0", "method"]"#,
                #"{"error":{"code":-32700,"data":{"code":"parseError"},"message":"The line is not JSON."},"id":null,"jsonrpc":"2.0"}"#
            ),
            ("[]", invalid + #""The batch is empty."},"id":null,"jsonrpc":"2.0"}"#),
            ("[1]", "[" + invalid + #""A request is a JSON object."},"id":null,"jsonrpc":"2.0"}]"#),
            (
                "[1,2]",
                "["
                    + [String](
                        repeating: invalid + #""A request is a JSON object."},"id":null,"jsonrpc":"2.0"}"#,
                        count: 2
                    )
                    .joined(separator: ",") + "]"
            ),
            // Other faults of a request.
            ("1", invalid + #""A request is a JSON object."},"id":null,"jsonrpc":"2.0"}"#),
            ("null", invalid + #""A request is a JSON object."},"id":null,"jsonrpc":"2.0"}"#),
            (
                #"{"method":"status","id":5}"#,
                invalid + #""The member `jsonrpc` must be \"2.0\"."},"id":5,"jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc":"1.0","method":"status","id":5}"#,
                invalid + #""The member `jsonrpc` must be \"2.0\"."},"id":5,"jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc":"2.0","id":5}"#,
                invalid + #""The member `method` must be a string."},"id":5,"jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc":"2.0","method":"status","id":{}}"#,
                invalid + #""An id is a string, a number or null."},"id":null,"jsonrpc":"2.0"}"#
            ),
            (
                #"{"jsonrpc":"2.0","method":"status","id":true}"#,
                invalid + #""An id is a string, a number or null."},"id":null,"jsonrpc":"2.0"}"#
            ),
        ] as [(String, String?)]
    )
    func lines(line: String, expected: String?) async throws {
        let answer = await RPCDispatcher(node: try await ChatNode.alice()).answer(Array(line.utf8))
        #expect(answer.line.map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(
        "Parameters that a method cannot have are told by name",
        arguments: [
            (#"{"text":"x"}"#, "`send` needs the parameter `to`."),
            (#"{"to":"Bob","text":5}"#, "The parameter `text` of `send` has a type or value that it cannot have."),
            (#"{"to":null,"text":"x"}"#, "The parameter `to` of `send` has a type or value that it cannot have."),
            (#"["Bob","x"]"#, "The parameters of `send` are a JSON object with names."),
            (#""Bob""#, "The parameters of `send` are a JSON object with names."),
            (
                #"{"to":"Bob","text":"x","forward":["/etc/passwd"]}"#,
                "`send` knows these parameters in this release: to, text, files, images, longestEdge, voices, replyTo, mentions, expiresAfter."
            ),
        ]
    )
    func parameters(parameters: String, reason: String) async throws {
        let line = #"{"jsonrpc":"2.0","method":"send","params":\#(parameters),"id":1}"#
        let node = try await ChatNode.alice()
        let answer = await RPCDispatcher(node: node).answer(Array(line.utf8))
        let expected =
            #"{"error":{"code":-32602,"data":{"code":"invalidParams"},"message":"\#(reason)"},"id":1,"jsonrpc":"2.0"}"#
        #expect(answer.line.map { String(decoding: $0, as: UTF8.self) } == expected)
        #expect(try await node.texts() == [])
    }

    @Test("A batch is answered in one line, in its order, without its notifications")
    func batch() async throws {
        let line = #"""
             [{"jsonrpc":"2.0","method":"shutdown","id":1},{"jsonrpc":"2.0","method":"shutdown"},{"foo":"boo"},
            """#.replacing("\n", with: "")
        let rest =
            #"{"jsonrpc":"2.0","method":"foobar","id":"5"},{"jsonrpc":"2.0","method":"markRead","params":{"conversation":"Bob"},"id":"9"}]"#
        let answer = await RPCDispatcher(node: try await ChatNode.alice()).answer(Array((line + rest).utf8))
        let expected = [
            #"[{"id":1,"jsonrpc":"2.0","result":{}}"#,
            Self.invalid + #""The member `jsonrpc` must be \"2.0\"."},"id":null,"jsonrpc":"2.0"}"#,
            #"{"error":{"code":-32601,"data":{"code":"methodNotFound"},"message":"There is no such method in this release."},"id":"5","jsonrpc":"2.0"}"#,
            #"{"id":"9","jsonrpc":"2.0","result":{}}]"#,
        ]
        #expect(answer.line.map { String(decoding: $0, as: UTF8.self) } == expected.joined(separator: ","))
    }

    @Test("A batch of the limit is answered, one request more is refused whole")
    func batchLimit() async throws {
        let request = #"{"jsonrpc":"2.0","method":"send","params":{"to":"Bob","text":"x"},"id":1}"#
        func line(_ count: Int) -> [UInt8] {
            Array("[\([String](repeating: request, count: count).joined(separator: ","))]".utf8)
        }
        let node = try await ChatNode.alice()
        let dispatcher = RPCDispatcher(node: node)
        _ = await dispatcher.answer(line(RPCLimits.batchCount))
        #expect(try await node.texts().count == RPCLimits.batchCount)
        let refused = await dispatcher.answer(line(RPCLimits.batchCount + 1))
        #expect(try await node.texts().count == RPCLimits.batchCount)
        #expect(
            refused.line.map { String(decoding: $0, as: UTF8.self) }
                == Self.invalid + #""A batch holds at most 256 requests."},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test(
        "Bytes that are no UTF-8 are a parse error",
        arguments: [[0xFF], [0x22, 0xC3, 0x28, 0x22], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]]
    )
    func malformedText(bytes: [UInt8]) async throws {
        let answer = await RPCDispatcher(node: try await ChatNode.alice()).answer(bytes)
        #expect(
            answer.line.map { String(decoding: $0, as: UTF8.self) }
                == #"{"error":{"code":-32700,"data":{"code":"parseError"},"message":"The line is not UTF-8."},"id":null,"jsonrpc":"2.0"}"#
        )
    }

    @Test("A line as deep as a line can be is a parse error", arguments: ["[", #"{"a":"#])
    func depth(opening: String) async throws {
        let line = String(repeating: opening, count: RPCLimits.lineByteCount / opening.utf8.count)
        let answer = await RPCDispatcher(node: try await ChatNode.alice()).answer(Array(line.utf8))
        #expect(
            answer.line.map { String(decoding: $0, as: UTF8.self) }
                == #"{"error":{"code":-32700,"data":{"code":"parseError"},"message":"The line is not JSON."},"id":null,"jsonrpc":"2.0"}"#
        )
    }
}
