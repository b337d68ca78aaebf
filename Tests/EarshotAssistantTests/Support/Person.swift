import Earshot
import EarshotAssistant
import Foundation

/// A node on this machine's loopback interface, with its events.
struct Person: Sendable {
    let node: ChatNode
    let events: ChatEvents

    init(_ name: String, on group: String) async throws {
        var mesh = MeshOptions()
        #if canImport(Darwin)
            mesh.interfaces = ["lo0"]
        #else
            mesh.interfaces = ["lo"]
        #endif
        mesh.discoveryGroups = [group]
        node = try await ChatNode.create(name: name, ChatConfiguration(mesh: mesh))
        events = try node.events()
    }

    var id: PeerID {
        get async { await node.status.id }
    }

    /// Returns the first value that `pick` makes of the events from now on.
    func first<Value>(_ pick: (ChatEvent) -> Value?) async throws -> Value {
        for await event in events {
            if let value = pick(event) { return value }
        }
        throw ModelServer.Failure(description: "the node stopped before it happened")
    }

    /// Waits until the node knows a peer.
    func meets(_ peer: PeerID) async throws {
        if try await node.contacts.all().contains(where: { $0.id == peer }) { return }
        try await first { if case .contact(let contact) = $0, contact.id == peer { () } else { nil } }
    }

    /// Waits for the message that answers another.
    func answer(to question: Message) async throws -> Message {
        try await first { event in
            guard case .message(let message) = event, !message.isOutgoing, message.replyTo?.id == question.id else {
                return nil
            }
            return message
        }
    }

    /// Makes a peer a verified contact, as a comparison of numbers on both screens does.
    func verifies(_ peer: Person) async throws {
        try await meets(peer.id)
        try await peer.meets(id)
        try await node.contacts.verify(peer.id, number: try await peer.node.contacts.safetyNumber(with: id))
    }
}

/// An assistant that runs beside people on the loopback interface, with a scripted model server.
struct AssistantScene: Sendable {
    let server: ModelServer
    let oracle: Person
    let people: [Person]
    /// The lines that the assistant has reported to its operator.
    let lines: AsyncStream<String>

    /// Runs `body` while all nodes are up, and `after` once the assistant has ended.
    ///
    /// The assistant verifies the first `verified` people.
    static func run(
        _ model: String,
        _ people: String...,
        verified: Int = .max,
        address: String? = nil,
        adjust: (inout AssistantSettings) -> Void = { _ in },
        body: (AssistantScene) async throws -> Void,
        after: (AssistantScene) async throws -> Void = { _ in }
    ) async throws {
        let group =
            "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...60_000))"
        let server = try await ModelServer()
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let oracle = try await Person("Oracle", on: group)
        var present: [Person] = []
        for name in people { present.append(try await Person(name, on: group)) }
        let scene = AssistantScene(server: server, oracle: oracle, people: present, lines: lines)
        var settings = AssistantSettings()
        settings.rate = AnswerRate(1_000, in: .seconds(1))
        adjust(&settings)
        let endpoint = try ModelEndpoint(address ?? server.address, model: model)
        let assistant = try Assistant(oracle.node, endpoint: endpoint, settings: settings) { continuation.yield($0) }
        let running = Task { await assistant.run() }
        var outcome: Result<Void, any Error>
        do {
            for person in [oracle] + present { try await person.node.start() }
            for person in present.prefix(verified) { try await oracle.verifies(person) }
            for person in present { try await person.meets(oracle.id) }
            try await body(scene)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        running.cancel()
        await running.value
        if case .success = outcome {
            do {
                try await after(scene)
            } catch {
                outcome = .failure(error)
            }
        }
        for person in [oracle] + present { await person.node.stop() }
        try outcome.get()
    }
}
