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

/// The conversations that ten can take part in, by their names in JSON-RPC.
enum ConversationKind: String, CaseIterable {
    case group, room

    /// The address of the conversation in calls.
    var title: String { "\(rawValue):Trees" }

    /// The role of the member that administers it.
    var owner: String { self == .group ? "owner" : "host" }

    /// The event at a member that was removed.
    var end: String { self == .group ? "ended" : "closed" }
}

/// The ten nodes; host 0 creates the conversation.
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

    /// Starts all nodes and waits until the creator has discovered all others; nil if the system forbids namespaces.
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

    /// Creates the conversation as host 0 and lets all others join.
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

    /// Lets nine nodes join by the code.
    ///
    /// In the room, every member has an id that links to no other identity.
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

    /// Makes a poll with votes, one of them changed, reactions, an edit and a deletion, and returns the poll's id.
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

    /// Sends a picture to all and returns its message's id.
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

    /// Collects the different copies that the remaining members have.
    func copies(of picture: String) async throws -> Set<Data> {
        var copies: Set<Data> = []
        for host in Self.staying { copies.insert(try await nodes[host].copy(0, of: picture)) }
        return copies
    }

    /// Removes a member, lets another leave, and passes the ownership on, all while some members are offline.
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

    /// Waits until all remaining members know the same, and returns it.
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

/// A member's view of a conversation, without its local details: times, marks and the order of arrival.
private struct ConversationFacts: Hashable {
    let title: String
    let owner: String
    let members: Int
    let texts: Set<String>
    let lines: Set<String>
    let votes: [String: [Int]]
}

extension NodeProcess {
    /// Writes to a conversation and returns the message's id.
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

    /// Reads a member's view; an empty one of a room that the member is not in.
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
            // A member has the lines from its joining on.
            lines: Set(
                messages.filter { !["founded", "added"].contains($0["system"]?["event"]?.string) }.map(Self.line)
            ),
            votes: votes
        )
    }

    /// Describes a message in words that are the same for every member.
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
