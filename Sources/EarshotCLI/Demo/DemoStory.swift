import Earshot
import EarshotRPC
import Foundation

/// The steps of the demo; each throws if it fails.
struct DemoStory: Sendable {
    private let stage: DemoStage
    private let output: DemoOutput
    private let console: Console

    init(_ stage: DemoStage, _ output: DemoOutput, _ console: Console) {
        self.stage = stage
        self.output = output
        self.console = console
    }

    /// The texts that Alice and Bob exchange, which no file may contain.
    private enum Text {
        static let hello = "Hello Bob, can you hear me through the relay?"
        static let answer = "Loud and clear, Alice. Zażółć gęślą jaźń!"
        static let waiting = "You were offline, so this one waited for you."
        static let all = [hello, answer, waiting]
    }

    private struct Identities {
        let alice: IdentityOutput
        let bob: IdentityOutput
    }

    /// Runs the demo from beginning to end.
    func run() async throws {
        let start = ContinuousClock.now
        output.say("Three nodes on the loopback interface of this machine; nothing leaves it.")
        output.say()
        let who = try await makeHomes()
        let relay = try await attempt("The relay runs") {
            try await stage.start(
                "Relay",
                ["--relay-only", "--discovery", stage.aliceGroup, "--discovery", stage.bobGroup]
            )
        }
        let alice = try await startEnd("Alice", stage.aliceGroup, relay: relay)
        var bob = try await startEnd("Bob", stage.bobGroup, relay: relay)
        try await meet(alice, bob, who, relay: relay)
        try await talk(alice, bob, who)
        try await verify(alice, bob, who)
        bob = try await offlineAndBack(alice, bob, who)
        try searchFiles()
        try await showRelay(relay)
        output.say()
        output.say("Everything happened, in \(TimeText.span(start.duration(to: .now))).")
        if isatty(0) == 1, isatty(1) == 1 { try await DemoChat(alice, bob, who.alice.id, who.bob.id, console).run() }
    }

    // MARK: - Steps

    private func makeHomes() async throws -> Identities {
        try await attempt("Three data directories created") {
            let alice = try await stage.makeHome("Alice")
            let bob = try await stage.makeHome("Bob")
            _ = try await stage.makeHome("Relay")
            output.tick(
                "Three data directories created",
                "Alice  \(alice.fingerprint)  on \(stage.aliceGroup)",
                "Bob    \(bob.fingerprint)  on \(stage.bobGroup)",
                "Relay  on both: Alice and Bob never hear each other"
            )
            return Identities(alice: alice, bob: bob)
        }
    }

    /// Starts Alice or Bob; the relay, which is running already, reports the new link.
    private func startEnd(_ name: String, _ group: String, relay: DemoNode) async throws -> DemoNode {
        try await attempt("\(name) found by multicast") {
            let start = ContinuousClock.now
            let node = try await stage.start(name, ["--discovery", group])
            let up = try await relay.first("a link between \(name) and the relay", since: start) { event in
                if case .linkUp(let links) = event { links } else { nil }
            }
            output.tick("\(name) found by multicast", "link to the relay \(span(start, up.time)) after start")
            return node
        }
    }

    private func meet(_ alice: DemoNode, _ bob: DemoNode, _ who: Identities, relay: DemoNode) async throws {
        try await attempt("They know each other, relayed") {
            let start = ContinuousClock.now
            for (node, other) in [(alice, who.bob.id), (bob, who.alice.id)] {
                try await know(node, other)
            }
            let known = span(start, .now)
            let links = try await [alice, bob, relay].asyncCounts()
            guard links[0] == 1, links[1] == 1, links[2] == 2 else {
                throw CommandFailure(.failed, "the links are \(links), not Alice 1, Bob 1, relay 2")
            }
            output.tick("They know each other, relayed", "\(known) later; links: Alice 1, Bob 1, relay 2")
        }
    }

    private func talk(_ alice: DemoNode, _ bob: DemoNode, _ who: Identities) async throws {
        try await attempt("Session through the relay") {
            let sending = try await Sending(Text.hello, from: alice, to: who.bob.id)
            let came = try await bob.first("Alice's text at Bob's", incoming(Text.hello))
            output.tick(
                "Session through the relay",
                "Bob has “\(Text.hello)” after \(span(sending.start, came.time))"
            )
            _ = try await bob.client.call(TrustCall(peer: who.alice.id, action: "accept"))
            output.tick("Bob accepts Alice", "from now on Alice gets receipts")
            output.tick("Alice's text is delivered", try await sending.course("delivered"))
        }
        try await attempt("Bob's answer is delivered") {
            let sending = try await Sending(Text.answer, from: bob, to: who.alice.id)
            _ = try await alice.first("Bob's text at Alice's", incoming(Text.answer))
            output.tick("Bob's answer is delivered", "“\(Text.answer)”", try await sending.course("delivered"))
        }
    }

    private func verify(_ alice: DemoNode, _ bob: DemoNode, _ who: Identities) async throws {
        try await attempt("Safety numbers are equal") {
            let aliceSees = try await alice.client.call(SafetyNumberCall(peer: who.bob.id)).number
            let bobSees = try await bob.client.call(SafetyNumberCall(peer: who.alice.id)).number
            guard aliceSees == bobSees else { throw CommandFailure(.badData, "they differ") }
            let groups = SafetyNumberText.grouped(aliceSees)
            output.tick("Safety numbers are equal", String(groups.prefix(35)), String(groups.dropFirst(36)))
            let atAlice = try await alice.client.call(VerifyCall(peer: who.bob.id, number: bobSees)).trust
            let atBob = try await bob.client.call(VerifyCall(peer: who.alice.id, number: aliceSees)).trust
            guard atAlice == "verified", atBob == "verified" else {
                throw CommandFailure(.badData, "Alice's state is \(atAlice), Bob's \(atBob)")
            }
            output.tick("Both are verified", "the programs compared, each the other's number")
        }
    }

    private func offlineAndBack(_ alice: DemoNode, _ bob: DemoNode, _ who: Identities) async throws -> DemoNode {
        try await attempt("A message waits for Bob") {
            await stage.stop(bob)
            let sending = try await Sending(Text.waiting, from: alice, to: who.bob.id)
            output.tick("A message waits for Bob", "Bob's node has ended; \(try await sending.course("carried"))")
            let start = ContinuousClock.now
            let back = try await stage.start("Bob", ["--discovery", stage.bobGroup])
            let came = try await receive(Text.waiting, at: back, from: who.alice.id)
            output.tick("Bob is back and has it", "“\(Text.waiting)” \(span(start, came)) after start")
            output.tick("Alice's text is delivered", try await sending.course("delivered"))
            return back
        }
    }

    private func searchFiles() throws {
        let title = "History files hold no text"
        let search = try FileSearch(Text.all, below: stage.directory)
        // A control text is searched for, too: a search that finds nothing at all would prove nothing.
        let control = try FileSearch(["SQLite format 3"], below: stage.directory)
        guard search.found.isEmpty, control.found.count >= 2 else {
            let places = search.found.map { "“\($0.text)” in \($0.file)" }.joined(separator: ", ")
            output.cross(title, places.isEmpty ? "the history files were not found" : places)
            throw CommandFailure(.failed, "The demo failed: \(title).")
        }
        output.tick(
            title,
            "\(search.fileCount) files, \(search.byteCount) bytes searched for \(Text.all.count) texts: all sealed"
        )
    }

    private func showRelay(_ relay: DemoNode) async throws {
        try await attempt("All that the relay saw") {
            var table = Table(["ENVELOPE", "KIND", "BYTES"])
            for moment in await relay.moments {
                guard case .envelope(let id, let kind, let byteCount) = moment.event else { continue }
                table.add(id, "\(kind)", "\(byteCount)")
            }
            guard !table.rows.isEmpty else { throw CommandFailure(.failed, "the relay reported no envelope") }
            output.tick("All that the relay saw", "\(table.rows.count) envelopes")
            output.table(table)
        }
    }

    // MARK: - Ways of telling

    /// Runs a step; if it fails, reports that before the demo ends.
    private func attempt<Value: Sendable>(
        _ title: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            let failure = CommandFailure(error)
            output.cross(title, failure.message)
            for name in ["Alice", "Bob", "Relay"] {
                for line in stage.log(name).split(separator: "\n").suffix(5) { output.say("      \(name): \(line)") }
            }
            throw CommandFailure(failure.status, "The demo failed: \(title).")
        }
    }

    private func know(_ node: DemoNode, _ other: String) async throws {
        if try await node.client.call(ContactsCall()).contains(where: { $0.id == other }) { return }
        _ = try await node.first("the other's identity at \(node.name)'s") { event in
            if case .contact(let contact) = event, contact.id == other { true } else { nil }
        }
    }

    /// Waits until a text is in a node's history; it may have arrived before the demo listened.
    private func receive(
        _ text: String,
        at node: DemoNode,
        from peer: String
    ) async throws -> ContinuousClock.Instant {
        let page = try await node.client.call(HistoryCall(conversation: peer))
        if page.contains(where: { $0.text == text && !$0.outgoing }) { return .now }
        return try await node.first("“\(text)” at \(node.name)'s", incoming(text)).time
    }

    private func incoming(_ text: String) -> @Sendable (RPCEvent) -> MessageReply? {
        { event in
            guard case .message(let message) = event, !message.outgoing, message.text == text else { return nil }
            return message
        }
    }

    private func span(_ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant) -> String {
        TimeText.span(start.duration(to: end))
    }
}

extension [DemoNode] {
    /// Returns the number of links of each node.
    fileprivate func asyncCounts() async throws -> [Int] {
        var counts: [Int] = []
        for node in self { counts.append(try await node.client.call(StatusCall()).links) }
        return counts
    }
}
