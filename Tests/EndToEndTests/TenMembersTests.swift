import Foundation
import Testing

/// Ten processes, three of which only relays reach.
@Suite("A conversation of ten", .serialized, .timeLimit(.minutes(10)))
struct TenMembersTests {
    @Test("After texts, a poll, reactions, a removal, a leave, a handover and three who were off, all know the same")
    func conversation() async throws {
        guard let ten = try await Ten.start() else { return }
        try await ten.gather()
        for (number, node) in ten.nodes.enumerated() { try await node.write("hello from \(number)", to: Ten.title) }
        for node in ten.nodes {
            for number in ten.nodes.indices where ten.nodes[number].name != node.name {
                _ = try await node.message("hello from \(number)")
            }
        }
        let poll = try await ten.changeThings()
        try await ten.handOver(away: [3, 5, 9])
        try await ten.nodes[1].write("after", to: Ten.title)
        for host in Ten.staying where host != 1 { _ = try await ten.nodes[host].message("after") }

        let state = try await ten.agreement()
        #expect(state.members == Ten.staying.count)
        #expect(state.texts.contains("while you were away 2") && state.texts.contains("after"))
        #expect(state.votes[poll] == [4, 3])
        for host in [Ten.removed, Ten.leaver] {
            let texts = try await ten.nodes[host].facts(of: Ten.title).texts
            #expect(texts.contains("hello from 0") && !texts.contains("after"))
        }
        await ten.stop()
    }
}

/// The ten, host 0 being the one who founds the conversation.
private final class Ten {
    static let title = "group:Trees"
    static let removed = 4
    static let leaver = 6
    static let staying = [0, 1, 2, 3, 5, 7, 8, 9]

    private let place: Neighbourhood
    private let folder: TemporaryFolder
    private(set) var nodes: [NodeProcess] = []
    private(set) var ids: [String] = []

    private init(_ place: Neighbourhood) throws {
        self.place = place
        folder = try TemporaryFolder()
    }

    /// Starts all and waits until the founder has heard of everybody; nil where namespaces are not allowed.
    static func start() async throws -> Ten? {
        guard let place = try Neighbourhood() else { return nil }
        let ten = try Ten(place)
        for host in 0..<Neighbourhood.hostCount {
            let made = try Command.run([
                Command.earshot, "--home", ten.home(host).path, "init", "--name", "N\(host)", "--no-passphrase",
            ])
            guard made.status == 0 else { throw NodeProcess.Failure(description: "init: \(made.errors)") }
            ten.nodes.append(try ten.process(host))
        }
        for node in ten.nodes { ten.ids.append(try await node.ready()) }
        for id in ten.ids.dropFirst() { try await ten.nodes[0].knows(id) }
        for node in ten.nodes.dropFirst() { try await node.knows(ten.ids[0]) }
        return ten
    }

    private func home(_ host: Int) -> URL { folder.url.appending(path: "n\(host)") }

    private func process(_ host: Int) throws -> NodeProcess {
        try NodeProcess("N\(host)", home: home(host), in: place.namespace(host), [])
    }

    /// Host 0 founds the conversation and takes everybody in.
    func gather() async throws {
        for node in nodes.dropFirst() {
            try await node.call("trust", ["peer": .string(ids[0]), "action": .string("accept")])
        }
        let members = JSONValue.array(ids.dropFirst().map { .string($0) })
        try await nodes[0].call("group.create", ["title": .string("Trees"), "members": members])
        for node in nodes.dropFirst() { _ = try await node.groupEvent("joined") }
    }

    /// A poll with votes, one of them changed, reactions, an edit and a deletion; answers the poll's id.
    func changeThings() async throws -> String {
        let options = JSONValue.array([.string("tea"), .string("coffee")])
        let made = try await nodes[2].call(
            "poll.create",
            ["to": .string(Self.title), "question": .string("What?"), "options": options, "mayChange": .bool(true)]
        )
        let poll = made["message"]?.string ?? ""
        let edited = try await nodes[7].write("to be edited", to: Self.title)
        let deleted = try await nodes[8].write("to be deleted", to: Self.title)
        for node in nodes { _ = try await node.event("poll") { $0["message"]?["id"]?.string == poll } }
        for (host, option) in [(1, 0), (3, 0), (5, 0), (7, 0), (8, 1), (9, 1), (0, 1)] {
            try await nodes[host].call(
                "poll.vote",
                ["poll": .string(poll), "options": .array([.number(Double(option))])]
            )
        }
        for node in nodes where node.name != "N7" { _ = try await node.message("to be edited") }
        for host in [0, 3, 9] {
            try await nodes[host].call("react", ["message": .string(edited), "emoji": .string("🌳")])
        }
        try await nodes[7].call("edit", ["message": .string(edited), "text": .string("edited")])
        try await nodes[8].call("delete", ["message": .string(deleted), "forEveryone": .bool(true)])
        for host in 0..<Neighbourhood.hostCount where host != 7 {
            _ = try await nodes[host].change(of: edited) {
                $0["text"]?.string == "edited" && $0["reactions"]?.array?.first?["from"]?.array?.count == 3
            }
        }
        return poll
    }

    /// While some are off, the founder puts one out, another leaves, and the conversation gets another owner.
    func handOver(away: [Int]) async throws {
        for host in away { await nodes[host].kill() }
        try await nodes[0].call("group.remove", ["group": .string("Trees"), "member": .string(ids[Self.removed])])
        _ = try await nodes[Self.removed].groupEvent("ended")
        try await nodes[Self.leaver].call("group.leave", ["group": .string("Trees")])
        _ = try await nodes[2].groupEvent("left", by: ids[Self.leaver])
        try await nodes[0].call("group.handover", ["group": .string("Trees"), "member": .string(ids[1])])
        _ = try await nodes[2].groupEvent("handedOver", by: ids[1])
        for number in 0..<3 { try await nodes[7].write("while you were away \(number)", to: Self.title) }
        for host in away {
            nodes[host] = try process(host)
            _ = try await nodes[host].ready()
        }
    }

    /// What all who are left know, once it is the same.
    func agreement() async throws -> ConversationFacts {
        let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
        while true {
            var all: [ConversationFacts] = []
            for host in Self.staying { all.append(try await nodes[host].facts(of: Self.title)) }
            if let first = all.first, Set(all).count == 1 { return first }
            guard ContinuousClock.now < deadline else {
                throw NodeProcess.Failure(description: "they know \(Set(all).count) different things: \(Set(all))")
            }
        }
    }

    func stop() async {
        for node in nodes { await node.stop() }
    }
}

/// What a member knows of a conversation, without what is its own alone: times, marks, and the order they came in.
private struct ConversationFacts: Hashable {
    let title: String
    let owner: String
    let members: Int
    let texts: Set<String>
    let lines: Set<String>
    let votes: [String: [Int]]
}

extension NodeProcess {
    /// Writes to a conversation; answers the message's id.
    @discardableResult
    fileprivate func write(_ text: String, to conversation: String) async throws -> String {
        try await call("send", ["to": .string(conversation), "text": .string(text)])["message"]?.string ?? ""
    }

    fileprivate func groupEvent(_ name: String, by peer: String? = nil) async throws -> JSONValue {
        try await event(name) { event in
            event["type"]?.string == "group" && event["event"]?.string == name
                && (peer == nil || event["by"]?.string == peer)
        }
    }

    fileprivate func facts(of conversation: String) async throws -> ConversationFacts {
        let parameters: [String: JSONValue] = ["conversation": .string(conversation), "limit": .number(500)]
        let messages = try await call("history", parameters).array ?? []
        let group = try await call("groups").array?.first
        var votes: [String: [Int]] = [:]
        for message in messages {
            guard let id = message["id"]?.string, let options = message["poll"]?["options"]?.array else { continue }
            votes[id] = options.map { $0["votes"]?.array?.count ?? 0 }
        }
        return ConversationFacts(
            title: group?["title"]?.string ?? "",
            owner: group?["owner"]?.string ?? "",
            members: group?["members"]?.array?.count ?? 0,
            texts: Set(messages.compactMap { $0["text"]?.string }),
            lines: Set(messages.map(Self.line)),
            votes: votes
        )
    }

    /// A message in words that are the same for everybody.
    private static func line(of message: JSONValue) -> String {
        let reactions = message["reactions"]?.array?.map { reaction in
            let members = reaction["from"]?.array?.compactMap(\.string).sorted() ?? []
            return "\(reaction["emoji"]?.string ?? "") \(members)"
        }
        let earlier = message["earlier"]?.array?.compactMap { $0["text"]?.string } ?? []
        let words = ["id", "from", "kind", "text"].map { message[$0]?.string ?? "" }
        return "\(words) \(reactions ?? []) \(earlier) \(message["deleted"] == .bool(true))"
    }
}
