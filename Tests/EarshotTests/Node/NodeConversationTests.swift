import ChatCrypto
import Earshot
import Foundation
import Testing

@testable import ChatCore

/// Running nodes with UDP sockets on the loopback interface.
@Suite("Nodes talk over loopback", .timeLimit(.minutes(30)))
struct NodeConversationTests {
    @Test("Two nodes find each other and talk both ways, each message delivered")
    func twoNodes() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (alice, bob) = (try await LiveNode("Alice", mesh), try await LiveNode("Bob", mesh))
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            let hello = try await alice.node.conversation(.direct(bobID)).send("Hello, Bob")
            let received = try await bob.receives()
            #expect(received.text == "Hello, Bob")
            #expect(received.id == hello.id)
            #expect(received.senderName == "Alice")
            #expect(received.isRequest)
            let answer = try await bob.node.conversation(.direct(aliceID)).send("Hello, Alice")
            #expect(try await alice.receives().text == "Hello, Alice")
            #expect(try await alice.statuses(of: hello).last == .delivered)
            #expect(try await bob.statuses(of: answer).last == .delivered)
            let numbers = (
                try await alice.node.contacts.safetyNumber(with: bobID),
                try await bob.node.contacts.safetyNumber(with: aliceID)
            )
            #expect(numbers.0 == numbers.1)
            #expect(try await alice.node.contacts.verify(bobID, number: numbers.1) == .verified)
            let status = await alice.node.status
            #expect(status.linkCount == 1)
            #expect(status.outboxCount == 0)
        }
    }

    @Test("Two nodes that never hear each other talk through a relay, which sees envelopes alone")
    func relayed() async throws {
        let (left, right) = (MeshOptions.randomGroup(), MeshOptions.randomGroup())
        let relay = try await LiveNode("Relay", MeshOptions.loopback([left, right]).relaying)
        let alice = try await LiveNode("Alice", .loopback([left]))
        let bob = try await LiveNode("Bob", .loopback([right]))
        try await withRunning(relay, alice, bob) {
            let bobID = try await alice.meets("Bob")
            let aliceID = try await bob.meets("Alice")
            let hello = try await alice.node.conversation(.direct(bobID)).send("Hello, Bob")
            #expect(try await bob.receives().text == "Hello, Bob")
            let answer = try await bob.node.conversation(.direct(aliceID)).send("Hello, Alice")
            #expect(try await alice.statuses(of: hello).last == .delivered)
            #expect(try await bob.statuses(of: answer).last == .delivered)
            #expect(try await alice.node.contacts.all().map(\.name) == ["Bob"])
            #expect(try await relay.node.contacts.all().isEmpty)
            let report = try await relay.first { event -> EnvelopeReport? in
                if case .relayed(let report) = event { report } else { nil }
            }
            #expect(report.byteCount > 0)
        }
    }

    @Test("A restart keeps history, contacts, trust and what waits, and the home tells nobody of them")
    func restart() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (aliceHome, bobHome) = (try TestHome(), try TestHome())
        var alice = try await LiveNode("Alice Liddell", mesh, home: .directory(aliceHome.directory))
        var bob = try await LiveNode("Bob Cratchit", mesh, home: .directory(bobHome.directory))
        var ids: [PeerID] = []
        try await withRunning(alice, bob) {
            let bobID = try await alice.meets("Bob Cratchit")
            ids = [try await bob.meets("Alice Liddell"), bobID]
            try await alice.node.conversation(.direct(bobID)).send("first secret")
            _ = try await bob.receives()
            let answer = try await bob.node.conversation(.direct(ids[0])).send("second secret")
            #expect(try await bob.statuses(of: answer).last == .delivered)
            try await alice.node.contacts.verify(bobID, number: try await alice.node.contacts.safetyNumber(with: bobID))
        }

        alice = try await LiveNode("another name", mesh, home: .directory(aliceHome.directory))
        var waiting: Message?
        try await withRunning(alice) {
            #expect(await alice.node.status.id == ids[0])
            #expect(try await alice.node.contacts.all().map(\.trust) == [.verified])
            #expect(
                try await alice.node.conversation(.direct(ids[1])).history().map(\.text) == [
                    "first secret", "second secret",
                ]
            )
            waiting = try await alice.node.conversation(.direct(ids[1])).send("third secret")
            #expect(await alice.node.status.outboxCount == 1)
        }

        alice = try await LiveNode("another name", mesh, home: .directory(aliceHome.directory))
        bob = try await LiveNode("another name", mesh, home: .directory(bobHome.directory))
        try await withRunning(alice, bob) {
            #expect(try await bob.receives().text == "third secret")
            let message = try #require(waiting)
            #expect(try await alice.statuses(of: message).last == .delivered)
        }
        for home in [aliceHome, bobHome] {
            for text in ["secret", "Alice Liddell", "Bob Cratchit"] + ids.map(\.description) {
                #expect(try home.files(containing: text.utf8) == [])
            }
            for id in ids { #expect(try home.files(containing: id.bytes) == []) }
        }
    }

    @Test("A message to somebody away comes by a relay after its author has left")
    func absentFriend() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let home = try TestHome()
        let relay = try await LiveNode("Relay", mesh.relaying)
        let alice = try await LiveNode("Alice", mesh)
        let bob = try await LiveNode("Bob", mesh, home: .directory(home.directory))
        try await withRunning(relay) {
            try await withRunning(alice) {
                var bobID: PeerID?
                try await withRunning(bob) { bobID = try await alice.meets("Bob") }
                let message = try await alice.node.conversation(.direct(try #require(bobID))).send("See you tomorrow")
                #expect(try await alice.statuses(of: message, until: .carried).last == .carried)
            }
            let returned = try await LiveNode("Bob", mesh, home: .directory(home.directory))
            try await withRunning(returned) {
                let message = try await returned.receives()
                #expect(message.text == "See you tomorrow")
            }
        }
    }

    @Test("A message to somebody away comes by a relay that was restarted after its author had left")
    func restartedRelay() async throws {
        let mesh = MeshOptions.loopback([MeshOptions.randomGroup()])
        let (home, relayHome) = (try TestHome(), try TestHome())
        let alice = try await LiveNode("Alice Liddell", mesh)
        let bob = try await LiveNode("Bob Cratchit", mesh, home: .directory(home.directory))
        let relay = try await LiveNode("Relay", mesh.relaying, home: .directory(relayHome.directory))
        try await withRunning(relay) {
            try await withRunning(alice) {
                var bobID: PeerID?
                try await withRunning(bob) { bobID = try await alice.meets("Bob Cratchit") }
                let message = try await alice.node.conversation(.direct(try #require(bobID))).send("See you tomorrow")
                #expect(try await alice.statuses(of: message, until: .carried).last == .carried)
            }
        }
        let restarted = try await LiveNode("Relay", mesh.relaying, home: .directory(relayHome.directory))
        try await withRunning(restarted) {
            let returned = try await LiveNode("Bob Cratchit", mesh, home: .directory(home.directory))
            try await withRunning(returned) {
                let message = try await returned.receives()
                #expect(message.text == "See you tomorrow")
            }
        }
        for name in ["Alice Liddell", "Bob Cratchit"] { #expect(try relayHome.files(containing: name.utf8) == []) }
    }

    @Test("A stopped node ends its sequences and refuses to go on")
    func stopping() async throws {
        let alice = try await LiveNode("Alice", .loopback([MeshOptions.randomGroup()]))
        try await withRunning(alice) {}
        for await _ in alice.events {}
        let starting = await #expect(throws: ChatError.self) { try await alice.node.start() }
        #expect(starting?.code == .stopped)
        let id = await alice.node.status.id
        let writing = await #expect(throws: ChatError.self) { try await alice.node.conversation(.direct(id)).send("x") }
        #expect(writing?.code == .stopped)
    }
}
