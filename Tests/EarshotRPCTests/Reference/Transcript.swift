import Earshot
import Foundation
import Testing

@testable import EarshotRPC

/// The examples of the reference, replayed against a real node.
struct Transcript {
    /// A call and its answer, without the values that differ in each run.
    struct Exchange {
        let request: String
        let response: String
    }

    /// The exchanges by the names of their methods.
    private(set) var exchanges: [String: Exchange] = [:]
    /// The fields of results by the names of their types.
    private(set) var fields: [String: [(name: String, type: String)]] = [:]

    /// The methods that others depend on or that end something; they run last, in this order.
    private static let last = [
        "deliveries", "cancel", "delete", "history.delete", "group.admin", "group.successor", "group.takeOver",
        "group.handover", "group.leave", "room.leave", "contact.rename", "passphrase.set", "lock", "unlock",
        "passphrase.change", "passphrase.remove", "identity.rotate", "erase",
        "identity.revoke",
    ]

    private var values: [String: String]
    private var mask: Mask
    private let dispatcher: RPCDispatcher

    /// Replays all examples on a fresh node.
    static func replayed() async throws -> Transcript {
        let folder = try TemporaryFolder()
        let node = try await ChatNode.alice(home: .directory(folder.url.appendingPathComponent("home")))
        try await node.start()
        await node.setHubs(StubHubs().control)
        try Data("Here be trees.".utf8).write(to: folder.url.appendingPathComponent("map.txt"))
        var transcript = Transcript(
            folder,
            try await Mask(node, folder),
            RPCDispatcher(node: node) { _ in
                PageCall.Reply(url: "http://127.0.0.1:8080/")
            }
        )
        let order = RPCMethods.all.filter { !last.contains($0.name) } + last.compactMap { RPCMethods.named[$0] }
        for method in order {
            // A node that owns a group cannot replace its identity, so another node replaces its own.
            let other = method == RotateIdentityCall.self ? RPCDispatcher(node: try await .alice()) : nil
            try await transcript.replay(method, by: other)
        }
        for sample in try ReplySamples.all() { transcript.describe(sample) }
        await node.stop()
        return transcript
    }

    private init(_ folder: TemporaryFolder, _ mask: Mask, _ dispatcher: RPCDispatcher) {
        values = ["folder": folder.url.path]
        (self.mask, self.dispatcher) = (mask, dispatcher)
    }

    private mutating func replay<Method: RPCMethod>(_ method: Method.Type, by other: RPCDispatcher?) async throws {
        var parameters = String(decoding: try RPCCoding.encode(method.example), as: UTF8.self)
        for (name, value) in values { parameters = parameters.replacingOccurrences(of: "{\(name)}", with: value) }
        let content = parameters == "{}" ? "" : #","params":\#(parameters)"#
        let request = #"{"jsonrpc":"2.0","id":1,"method":"\#(method.name)"\#(content)}"#
        let line = try #require(await (other ?? dispatcher).answer(Array(request.utf8)).line)
        let response = String(decoding: line, as: UTF8.self)
        exchanges[method.name] = Exchange(request: mask.applied(to: request), response: try mask.response(response))
        guard let result = try? RPCCoding.decode(Response<Method.Reply>.self, from: line).result else { return }
        describe(result)
        let known = Mirror(reflecting: result).children.first { ["message", "number"].contains($0.label) }
        if let text = known?.value as? String { values[method.name] = text }
    }

    /// Records the fields of a value and of everything in it.
    private mutating func describe(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        let type = type(of: value)
        if mirror.displayStyle == .struct, TypeName.isObject(type) {
            fields[TypeName.isInline(type) ? "\(String(reflecting: type))" : TypeName.text(type)] =
                mirror.children.map { ($0.label ?? "", TypeName.text(Swift.type(of: $0.value))) }
        }
        if mirror.displayStyle != .enum { for child in mirror.children { describe(child.value) } }
    }

    private struct Response<Reply: Decodable>: Decodable {
        let result: Reply
    }
}

/// The names of types in the reference.
enum TypeName {
    private static let plain = [
        "String": "string", "Int": "number", "UInt16": "number", "UInt64": "number", "Double": "number",
        "Bool": "boolean", "Date": "time", "Data": "Base64", "EmptyReply": "an empty object",
        "MetricsReply": "an object with a number for each name, or an object of numbers where there are classes",
    ]

    /// Names a type, with `?` after it if the value may be absent.
    static func text(_ type: Any.Type) -> String {
        let module = /(Swift|Foundation|FoundationEssentials|EarshotRPC|Earshot)\./
        var text = String(reflecting: type).replacing(module, with: "")
        func unwrap(_ prefix: String) -> Bool {
            guard text.hasPrefix(prefix) else { return false }
            text = String(text.dropFirst(prefix.count).dropLast())
            return true
        }
        let isOptional = unwrap("Optional<")
        let isList = unwrap("Array<")
        // Parts that end with `Call` and the suffix `Reply` are dropped: `GroupReply.Member` is `Group.Member`, and
        // `DeliveriesCall.Delivery` is `Delivery`.
        let parts = text.split(separator: ".").filter { !$0.hasSuffix("Call") }
            .map { $0.hasSuffix("Reply") && $0.count > 5 ? String($0.dropLast(5)) : String($0) }
        let name = plain[text] ?? parts.joined(separator: ".")
        return (isList ? "list of \(name)" : name) + (isOptional ? "?" : "")
    }

    /// Whether a type is the result of only one method, and is described with it.
    static func isInline(_ type: Any.Type) -> Bool { String(reflecting: type).hasSuffix("Call.Reply") }

    /// Whether a type has fields of its own in the reference.
    static func isObject(_ type: Any.Type) -> Bool {
        String(reflecting: type).contains(/^Earshot(RPC)?\./) && plain["\(type)"] == nil
    }
}

/// A replacement of the values that differ in each run by fixed ones.
struct Mask {
    private var names: [(String, String)] = []
    private let folder: String

    init(_ node: ChatNode, _ folder: TemporaryFolder) async throws {
        self.folder = folder.url.path
        names.append((await node.status.id.description, Samples.aliceHex))
        names.append((try await node.contacts.named("Bob").id.description, Samples.bobHex))
        names.append((try await node.contacts.named("Carol").id.description, String(repeating: "c3", count: 32)))
    }

    /// Replaces the ids, times, codes and paths of a text by those of the reference.
    mutating func applied(to text: String) -> String {
        var text = text.replacingOccurrences(of: folder, with: "/home/alice")
        for (pattern, count) in [(/\b[0-9a-f]{64}\b/, 32), (/\b[0-9a-f]{32}\b/, 16)] {
            for id in text.matches(of: pattern).map({ String($0.output) }) {
                if id == ImportRoomsCall.example.rooms.first?.id || names.contains(where: { $0.0 == id || $0.1 == id })
                {
                    continue
                }
                names.append((id, String(repeating: "0\(names.count % 10)", count: count)))
            }
        }
        for (id, name) in names { text = text.replacingOccurrences(of: id, with: name) }
        for (pattern, fixed) in [
            (#"\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"#, "2026-11-22T09:00:00.000Z"),
            (#"\b[0-9]{5}( [0-9]{5}){5}\b"#, "01234 56789 01234 56789 01234 56789"),
            (#"\b[0-9]{60}\b"#, Samples.number),
            (#""code":"[0-9]{2}-[0-9]{6}""#, #""code":"47-482913""#), (#"earshot:room[^"]*"#, "earshot:room?…"),
            (#""(backup|certificate)":"[^"]+""#, #""$1":"AQID…""#), (#""(uptime|rtt)":[0-9.e-]+"#, #""$1":0.25"#),
            (#""(carried|records)":[0-9]+"#, #""$1":1"#),
            (#""node":"[0-9a-f]{16}""#, #""node":"00000000000000aa""#), (#"&day=[0-9]+"#, "&day=20787"),
        ] { text = text.replacingOccurrences(of: pattern, with: fixed, options: .regularExpression) }
        return text
    }

    /// Sorts the members of an answer and cuts its metrics to two.
    mutating func response(_ line: String) throws -> String {
        let value = Self.sorted(try JSONSerialization.jsonObject(with: Data(line.utf8)))
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = try JSONSerialization.data(withJSONObject: value, options: options)
        return applied(to: String(decoding: data, as: UTF8.self))
    }

    private static func sorted(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(sorted) }
        guard var object = value as? [String: Any] else { return value }
        if object["mesh_neighbours"] != nil {
            object = object.filter { ["mesh_neighbours", "mesh_links"].contains($0.key) }
        }
        for (key, value) in object {
            var value = sorted(value)
            if key == "members", let people = value as? [[String: Any]] {
                value = people.sorted { "\($0["name"] ?? "")" < "\($1["name"] ?? "")" }
            }
            object[key] = value
        }
        return object
    }
}
