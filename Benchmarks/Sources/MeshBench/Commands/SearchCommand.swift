import ArgumentParser
import Earshot

/// The command that measures how fast a search finds messages.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Measure the speed of searches in a large history, and the time to read it for searching.",
        discussion: "Two nodes in this process talk over loopback first, which takes most of the time."
    )

    @Option(help: "Messages.")
    var messages = 100_000

    @Option(help: "Searches of each kind.")
    var searches = 50

    func validate() throws {
        guard messages > 1_000, searches > 0 else {
            throw ValidationError("--messages is above 1000, --searches above 0.")
        }
    }

    /// The report of this command.
    private struct SearchReport: Encodable {
        let command: String
        let machine = Machine.current
        let messages: Int
        /// The time from the first search to its answer; the search reads all messages.
        let firstSearchSeconds: Double
        /// The times for a word of one message in a thousand.
        let rare: Spread
        /// The times for a word of every second message; the answer is the newest 50.
        let common: Spread
        /// The times for a word prefix and a phrase, in one conversation.
        let narrowed: Spread
        /// The times for a word that no message contains.
        let none: Spread
        let usage: ProcessUsage
    }

    func run() async throws {
        let place = "239.255.\(Int.random(in: 0...255)).\(Int.random(in: 1...254)):\(Int.random(in: 20_000...60_000))"
        var mesh = MeshOptions()
        mesh.interfaces = ["lo"]
        mesh.discoveryGroups = [place]
        let alice = try await ChatNode.create(name: "Alice", ChatConfiguration(mesh: mesh))
        let bob = try await ChatNode.create(name: "Bob", ChatConfiguration(mesh: mesh))
        let events = try alice.events()
        try await alice.start()
        try await bob.start()
        var found: Contact?
        for await case .contact(let contact) in events {
            found = contact
            break
        }
        guard let peer = found else { throw BenchFailure("the two nodes did not meet") }
        try await talk(alice, bob, peer)
        try await Output.json(report(alice, peer))
        await alice.stop()
        await bob.stop()
    }

    /// Sends messages from one node to the other, as many at once as share one write of the store.
    private func talk(_ alice: ChatNode, _ bob: ChatNode, _ peer: Contact) async throws {
        let own = await alice.status.id
        while try await bob.contacts.all().isEmpty { await Task.yield() }
        try await bob.contacts.decide(.accept, about: own)
        let texts = SampleTexts()
        let count = messages
        for first in stride(from: 0, to: count, by: 128) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in first..<min(first + 128, count) {
                    group.addTask { _ = try await alice.conversation(.direct(peer.id)).send(texts.text(number)) }
                }
                try await group.waitForAll()
            }
            // The outbox holds 10,000 messages; confirmed messages leave it.
            while await alice.status.outboxCount > 4_000 { await Task.yield() }
            if first / 128 % 100 == 99 { Progress.say("\(first + 128) of \(count) messages") }
        }
    }

    private func report(_ node: ChatNode, _ peer: Contact) async throws -> SearchReport {
        let clock = ContinuousClock()
        let first = try await clock.measure { _ = try await node.history.search(SearchQuery("nothing")) }
        func measure(_ query: SearchQuery) async throws -> Spread {
            var times: [Duration] = []
            for _ in 0..<searches { times.append(try await clock.measure { _ = try await node.history.search(query) }) }
            return Spread(times)
        }
        var narrowed = SearchQuery("\"quick brown\" ja*")
        narrowed.conversation = .direct(peer.id)
        return SearchReport(
            command: CommandLine.arguments.dropFirst().joined(separator: " "),
            messages: messages,
            firstSearchSeconds: first.seconds,
            rare: try await measure(SearchQuery("zanzibar ")),
            common: try await measure(SearchQuery("the ")),
            narrowed: try await measure(narrowed),
            none: try await measure(SearchQuery("nothing")),
            usage: .current
        )
    }
}

/// Texts of the length that people write, the same in every run.
private struct SampleTexts: Sendable {
    private let words = """
        quick brown fox jumps over lazy dog while seven wizards judge a bold vixen near harbour garden window letter \
        summer winter evening morning coffee bread market station bicycle mountain river island forest yellow January \
        Café naïve Straße 東京 привет
        """.split(separator: " ").map(String.init)

    func text(_ number: Int) -> String {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        var picked: [String] = number.isMultiple(of: 2) ? ["the"] : []
        for _ in 0..<(8 + number % 24) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            picked.append(words[Int(state >> 33) % words.count])
        }
        if number.isMultiple(of: 1_000) { picked.append("Zanzibar") }
        return picked.joined(separator: " ")
    }
}
