import Foundation
import Testing

/// Ten processes, three of which only relays reach.
@Suite("A conversation of ten", .serialized, .timeLimit(.minutes(30)))
struct TenMembersTests {
    @Test(
        "After texts, a picture, a poll, reactions, a removal, a leave, a handover and three who were off, all know the same",
        arguments: ConversationKind.allCases
    )
    func conversation(kind: ConversationKind) async throws {
        guard let ten = try await Ten.start(kind) else { return }
        try await ten.gather()
        for (number, node) in ten.nodes.enumerated() {
            try await node.write("hello from \(number)", to: ten.title)
        }
        for node in ten.nodes {
            for number in ten.nodes.indices where ten.nodes[number].name != node.name {
                _ = try await node.message("hello from \(number)")
            }
        }
        let poll = try await ten.changeThings()
        let picture = try await ten.sendPicture()
        try await ten.handOver(away: [3, 5, 9])
        try await ten.nodes[1].write("after", to: ten.title)
        for host in Ten.staying where host != 1 { _ = try await ten.nodes[host].message("after") }

        let state = try await ten.agreement()
        #expect(state.members == Ten.staying.count)
        #expect(state.texts.contains("while you were away 2") && state.texts.contains("after"))
        #expect(state.votes[poll] == [4, 3])
        #expect(try await ten.copies(of: picture).count == 1)
        for host in [Ten.removed, Ten.leaver] {
            let texts = try await ten.nodes[host].facts(of: kind).texts
            switch kind {
            case .group: #expect(texts.contains("hello from 0") && !texts.contains("after"))
            case .room: #expect(texts == [])
            }
        }
        await ten.stop()
    }
}

/// What ten can be in, in the words of JSON-RPC.
enum ConversationKind: String, CaseIterable {
    case group, room

    /// What takes part in it is asked for by this.
    var title: String { "\(rawValue):Trees" }

    /// Who decides who is in it.
    var owner: String { self == .group ? "owner" : "host" }

    /// What happens to who is put out of it.
    var end: String { self == .group ? "ended" : "closed" }
}

/// The ten, host 0 being the one who founds the conversation.
private final class Ten {
    static let removed = 4
    static let leaver = 6
    static let staying = [0, 1, 2, 3, 5, 7, 8, 9]

    let kind: ConversationKind
    private let place: Neighbourhood
    private let folder: TemporaryFolder
    private(set) var nodes: [NodeProcess] = []
    private(set) var ids: [String] = []

    var title: String { kind.title }

    private init(_ kind: ConversationKind, _ place: Neighbourhood) throws {
        self.kind = kind
        self.place = place
        folder = try TemporaryFolder()
    }

    /// Starts all and waits until the founder has heard of everybody; nil where namespaces are not allowed.
    static func start(_ kind: ConversationKind) async throws -> Ten? {
        guard let place = try Neighbourhood() else { return nil }
        let ten = try Ten(kind, place)
        for host in 0..<Neighbourhood.hostCount {
            let made = try Command.run([
                Command.earshot, "--home", ten.home(host).path, "init", "--name", "N\(host)",
                "--no-passphrase",
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

    /// Host 0 founds the conversation, and everybody comes in.
    func gather() async throws {
        switch kind {
        case .group: try await gatherGroup()
        case .room: try await gatherRoom()
        }
    }

    private func gatherGroup() async throws {
        for node in nodes.dropFirst() {
            try await node.call("trust", ["peer": .string(ids[0]), "action": .string("accept")])
        }
        let members = JSONValue.array(ids.dropFirst().map { .string($0) })
        try await nodes[0].call("group.create", ["title": .string("Trees"), "members": members])
        for node in nodes.dropFirst() { _ = try await node.happened("joined", in: kind) }
    }

    /// Nine type the code; in the room everybody has an id that leads nowhere else.
    private func gatherRoom() async throws {
        let made = try await nodes[0].call("room.create", ["title": .string("Trees")])
        for node in nodes.dropFirst() {
            try await node.call("room.join", ["code": made["code"] ?? .null])
        }
        for (host, node) in nodes.enumerated() {
            let room = try await node.call("rooms").array?.first
            #expect(room?["own"]?.string != ids[host])
            ids[host] = room?["own"]?.string ?? ""
        }
        #expect(Set(ids).count == Neighbourhood.hostCount)
    }

    /// A poll with votes, one of them changed, reactions, an edit and a deletion; answers the poll's id.
    func changeThings() async throws -> String {
        let options = JSONValue.array([.string("tea"), .string("coffee")])
        let made = try await nodes[2].call(
            "poll.create",
            [
                "to": .string(title), "question": .string("What?"), "options": options,
                "mayChange": .bool(true),
            ]
        )
        let poll = made["message"]?.string ?? ""
        let edited = try await nodes[7].write("to be edited", to: title)
        let deleted = try await nodes[8].write("to be deleted", to: title)
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

    /// A picture for all; answers its message's id.
    func sendPicture() async throws -> String {
        let file = folder.url.appending(path: "dot.png")
        try #require(Data(base64Encoded: Self.dot)).write(to: file)
        let images = JSONValue.array([.string(file.path)])
        let sent = try await nodes[2].call("send", ["to": .string(title), "images": images])
        let id = sent["message"]?.string ?? ""
        for node in nodes where node.name != "N2" {
            _ = try await node.event("picture") {
                $0["type"]?.string == "message" && $0["message"]?["id"]?.string == id
            }
            try await node.hasFile(of: id, from: title)
        }
        return id
    }

    /// The different copies that those have who stay.
    func copies(of picture: String) async throws -> Set<Data> {
        var copies: Set<Data> = []
        for host in Self.staying { copies.insert(try await nodes[host].copy(0, of: picture)) }
        return copies
    }

    /// While some are off, the founder puts one out, another leaves, and the conversation gets another owner.
    func handOver(away: [Int]) async throws {
        for host in away { await nodes[host].kill() }
        try await act(0, "remove", on: ids[Self.removed])
        _ = try await nodes[Self.removed].happened(kind.end, in: kind)
        try await act(Self.leaver, "leave")
        _ = try await nodes[2].happened("left", in: kind, by: ids[Self.leaver])
        try await act(0, "handover", on: ids[1])
        _ = try await nodes[2].happened("handedOver", in: kind, by: ids[1])
        for number in 0..<3 { try await nodes[7].write("while you were away \(number)", to: title) }
        for host in away {
            nodes[host] = try process(host)
            _ = try await nodes[host].ready()
        }
    }

    private func act(_ host: Int, _ deed: String, on member: String? = nil) async throws {
        var parameters = [kind.rawValue: JSONValue.string("Trees")]
        if let member { parameters["member"] = .string(member) }
        try await nodes[host].call("\(kind.rawValue).\(deed)", parameters)
    }

    /// What all who are left know, once it is the same.
    func agreement() async throws -> ConversationFacts {
        let deadline = ContinuousClock.now.advanced(by: NodeProcess.limit)
        while true {
            var all: [ConversationFacts] = []
            for host in Self.staying { all.append(try await nodes[host].facts(of: kind)) }
            if let first = all.first, Set(all).count == 1 { return first }
            guard ContinuousClock.now < deadline else {
                throw NodeProcess.Failure(
                    description: "they know \(Set(all).count) different things: \(Set(all))"
                )
            }
        }
    }

    func stop() async {
        for node in nodes { await node.stop() }
    }

    /// A PNG of one pixel.
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
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
        try await call("send", ["to": .string(conversation), "text": .string(text)])["message"]?.string
            ?? ""
    }

    fileprivate func happened(
        _ name: String,
        in kind: ConversationKind,
        by peer: String? = nil
    ) async throws -> JSONValue {
        try await event(name) { event in
            event["type"]?.string == kind.rawValue && event["event"]?.string == name
                && (peer == nil || event["by"]?.string == peer)
        }
    }

    /// What a member knows; nothing of a room that it is not in.
    fileprivate func facts(of kind: ConversationKind) async throws -> ConversationFacts {
        let known = try await call("\(kind.rawValue)s").array?.first
        let parameters: [String: JSONValue] = [
            "conversation": .string(kind.title), "limit": .number(500),
        ]
        let messages = known == nil ? [] : try await call("history", parameters).array ?? []
        var votes: [String: [Int]] = [:]
        for message in messages {
            guard let id = message["id"]?.string, let options = message["poll"]?["options"]?.array else {
                continue
            }
            votes[id] = options.map { $0["votes"]?.array?.count ?? 0 }
        }
        return ConversationFacts(
            title: known?["title"]?.string ?? "",
            owner: known?[kind.owner]?.string ?? "",
            members: known?["members"]?.array?.count ?? 0,
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
        let words =
            ["id", "from", "kind", "text"].map { message[$0]?.string ?? "" }
            + ["event", "peer"].map { message["system"]?[$0]?.string ?? "" }
        return "\(words) \(reactions ?? []) \(earlier) \(message["deleted"] == .bool(true))"
    }
}
