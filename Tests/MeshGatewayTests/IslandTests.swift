import ChatCore
import ChatCrypto
import Earshot
import EarshotTesting
import Foundation
import MeshSimulation
import Testing

@testable import EarshotCLI
@testable import EarshotGateway
@testable import GatewayCore

/// Virtual meshes, and real gateways at a real server.
@Suite("Two meshes joined by a hub", .serialized, .timeLimit(.minutes(10)))
struct IslandTests {
    /// Alice and Bob, who met, and whose meshes have parted for three minutes; each has a gateway.
    private struct Islands {
        let server: HubServer
        let mesh: VirtualMesh
        let alice: ChatNode
        let bob: ChatNode
        var hubs: [NodeHubs] = []

        var toBob: ConversationHandle { alice.conversation(.direct(bob.identity.id)) }
        var toAlice: ConversationHandle { bob.conversation(.direct(alice.identity.id)) }

        /// - Parameter haveMet: Whether they met before; else they have never been in one mesh.
        init(haveMet: Bool = true) async throws {
            server = try HubServer()
            _ = try await HubOperator(server).create()
            mesh = VirtualMesh(.clique(2), seed: 7)
            alice = try await mesh.node("Alice", at: 0)
            if !haveMet { mesh.connect(1, to: 0, false) }
            bob = try await mesh.node("Bob", at: 1)
            if haveMet { try await meet() }
        }

        private func meet() async throws {
            let (alice, bob) = (alice, bob)
            try await mesh.run {
                let known = (try await alice.contacts[bob.identity.id], try await bob.contacts[alice.identity.id])
                return known.0 != nil && known.1 != nil
            }
            try await alice.contacts.decide(.accept, about: bob.identity.id)
            try await bob.contacts.decide(.accept, about: alice.identity.id)
            for (from, text) in [(toBob, "near"), (toAlice, "near too")] {
                let message = try await from.send(text)
                #expect(try await mesh.run { try await from.message(message.id)?.status == .delivered })
            }
            mesh.connect(1, to: 0, false)
            await mesh.run(for: .seconds(180))
        }

        mutating func connect() async throws {
            let hub = try await server.url()
            for node in [alice, bob] {
                hubs.append(try await NodeHubs.connecting(node, HubSettings(authorities: server.certificate)) { [hub] })
            }
        }

        /// The address of the hub for programs.
        var address: String {
            get async throws {
                let url = try await server.url()
                return "tls://\(url.user ?? ""):\(url.password ?? "")@\(url.endpoint)"
            }
        }

        /// Connects both nodes as a program does.
        func gateways(dayLimit: Int? = nil) async throws -> [NodeGateway] {
            let settings = HubSettings(authorities: server.certificate, dayLimit: dayLimit)
            var gateways: [NodeGateway] = []
            for node in [alice, bob] {
                gateways.append(try await NodeGateway(of: node, hubs: [await address], settings))
            }
            return gateways
        }

        /// Lets time pass until a condition holds: virtual time in step with the real time of gateways and server.
        func run(until condition: () async throws -> Bool) async rethrows {
            var last = ContinuousClock.now
            while try await !condition() {
                let now = ContinuousClock.now
                await mesh.run(for: last.duration(to: now))
                last = now
                await Task.yield()
            }
        }

        func stop() async {
            for hubs in hubs { await hubs.stop() }
            for node in [alice, bob] { await node.stop() }
        }
    }

    @Test("Messages cross both ways in order, each once, are confirmed, and the hub learns no names, ids or texts")
    func crosses() async throws {
        var islands = try await Islands()
        let (toAlice, toBob) = (islands.toAlice, islands.toBob)
        // Mail that was written before the gateways came goes first.
        var last = try await toBob.send("written before")
        try await islands.connect()
        try await islands.run { try await toBob.message(last.id)?.status == .delivered }
        for number in 0..<20 {
            let from = number.isMultiple(of: 2) ? toBob : toAlice
            last = try await from.send("private text \(number)")
            try await islands.run { try await from.message(last.id)?.status == .delivered }
        }
        let expected = ["near", "near too", "written before"] + (0..<20).map { "private text \($0)" }
        #expect(try await toAlice.history().map(\.text) == expected)
        #expect(try await toBob.history().map(\.text) == expected)
        let address = try await islands.server.url().text
        for (node, peer) in [(islands.alice, islands.bob), (islands.bob, islands.alice)] {
            #expect(try await node.contacts[peer.identity.id]?.hubs == [address])
        }
        let status = await islands.alice.status
        #expect(status.hubs.map(\.state) == ["live"] && status.hubs.allSatisfy { $0.problem == nil })
        #expect(status.outboxCount == 0 && status.gatewayAge != nil)
        // The hub may not have acknowledged the last receipt yet.
        await islands.run { await islands.alice.status.hubs.allSatisfy { $0.waitingCount == 0 } }
        let metrics = await islands.alice.metrics.filter { $0.labelName == "hub" }
        func value(_ name: String) -> Double? { metrics.first { $0.name == name }?.samples.first?.value }
        #expect(metrics.count == 12 && metrics.flatMap(\.samples).allSatisfy { $0.label == status.hubs.first?.host })
        #expect(value("hub_connected") == 1 && value("hub_waiting") == 0 && value("hub_losses_total") == 0)
        #expect(value("hub_fetched_total") == status.hubs.first.map { Double($0.fetchedCount) })
        #expect(value("hub_published_total") ?? 0 > 20)
        try Self.search(islands)
        await islands.stop()
        #expect(await islands.alice.status.hubs.isEmpty)
        #expect(await islands.alice.metrics.allSatisfy { $0.labelName != "hub" })
    }

    @Test("A program connects its nodes with hubs, by addresses; one that is none is refused with its reason")
    func program() async throws {
        let islands = try await Islands()
        let address = try await islands.address
        let settings = HubSettings(authorities: islands.server.certificate)
        await #expect(throws: HubAddressError.self) { try await NodeGateway(of: islands.alice, hubs: []) }
        await #expect(throws: HubAddressError.self) {
            try await NodeGateway(of: islands.alice, hubs: ["nats://hub.example.org"])
        }
        await #expect(throws: HubAddressError.self) {
            try await NodeGateway(of: islands.alice, hubs: [address, address])
        }
        #expect(await islands.alice.status.hubs.isEmpty)
        let gateways = try await islands.gateways()
        let message = try await islands.toBob.send("far")
        var deliveries = islands.toBob.deliveries(of: message.id).makeAsyncIterator()
        #expect(try await deliveries.next()?.map(\.recipient) == [islands.bob.identity.id])
        try await islands.run { try await islands.toBob.message(message.id)?.status == .delivered }
        var last: [RecipientDelivery]?
        while last?.map(\.status) != [.delivered] { last = try await deliveries.next() }
        let url = try await islands.server.url()
        #expect(await islands.alice.status.hubs.map(\.address) == [url.text])
        // Another gateway takes the place of the first, whose end leaves it alone.
        let second = try await NodeGateway(of: islands.alice, hubs: [address], settings)
        await gateways[0].stop()
        #expect(await islands.alice.status.hubs.count == 1)
        await second.stop(leavingHubs: true)
        #expect(await islands.alice.status.hubs.isEmpty)
        // The node that stops ends its gateway.
        await islands.stop()
        #expect(await gateways[1].reports().isEmpty)
    }

    @Test("A node that is suspended leaves its hubs, and reads what came meanwhile once it is back")
    func suspending() async throws {
        let islands = try await Islands()
        let gateways = try await islands.gateways()
        let first = try await islands.toBob.send("before")
        try await islands.run { try await islands.toBob.message(first.id)?.status == .delivered }
        try await islands.alice.suspend()
        #expect(await gateways[0].reports().isEmpty)
        let missed = try await islands.toAlice.send("meanwhile")
        try await islands.run {
            try await islands.toAlice.presentDeliveries(of: missed.id).first?.copies.isEmpty == false
        }
        try await islands.alice.start()
        try await islands.run { try await islands.toAlice.message(missed.id)?.status == .delivered }
        let last = try await islands.toBob.send("after")
        try await islands.run { try await islands.toBob.message(last.id)?.status == .delivered }
        await islands.stop()
    }

    @Test("The bytes of a day that a node has used stay used when it suspends")
    func allowance() async throws {
        let islands = try await Islands()
        let gateways = try await islands.gateways(dayLimit: 1)
        await islands.run { await gateways[0].reports().first?.problem == "hubLimit" }
        try await islands.alice.suspend()
        #expect(await gateways[0].allowance.isSpent)
        try await islands.alice.start()
        #expect(await gateways[0].reports().first?.problem == "hubLimit")
        await islands.stop()
    }

    @Test("The details of a message say that the hub has acknowledged it, while nobody fetches it")
    func details() async throws {
        let islands = try await Islands()
        let settings = HubSettings(authorities: islands.server.certificate)
        let gateway = NodeGateway(of: islands.alice, hubs: [try await islands.server.url()], settings)
        await gateway.begin()
        let message = try await islands.toBob.send("far")
        let host = try await islands.server.url().description
        try await islands.run {
            try await islands.toBob.presentDeliveries(of: message.id).first?.copies.map(\.hub) == [host]
        }
        await gateway.stop()
        await islands.stop()
    }

    /// Looks for what a hub must not learn in all that it wrote.
    private static func search(_ islands: Islands) throws {
        let ids = [islands.alice.identity.id, islands.bob.identity.id]
        let names = ["Alice", "Bob", "private text"].map { Data($0.utf8) }
        let secrets = ids.flatMap { [Data($0.bytes), Data($0.description.utf8)] } + names
        let folder = islands.server.folder
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var byteCount = 0
        for case let file as URL in files {
            guard let data = try? Data(contentsOf: file) else { continue }
            if file.path.contains("/store/") { byteCount += data.count }
            for secret in secrets { #expect(data.range(of: secret) == nil, "\(file.lastPathComponent)") }
        }
        #expect(byteCount > 5_000)
    }

    @Test("People who never met write to each other by a link, each knows the other's name, and the hub neither's")
    func link() async throws {
        var islands = try await Islands(haveMet: false)
        try await islands.connect()
        let (alice, bob) = (islands.alice, islands.bob)
        await islands.run {
            let ages = await [alice.status.gatewayAge, bob.status.gatewayAge]
            return !ages.contains(nil)
        }
        let code = try await alice.identity.invite()
        let address = try await islands.server.url().text
        #expect(code.hubs == [address] && code.id == alice.identity.id)
        // Nobody is known yet; what is written waits for the keys.
        #expect(try await bob.contacts.all().isEmpty)
        try await bob.contacts.follow(try #require(IdentityCode(code.text)))
        let first = try await islands.toAlice.send("private text to a new person")
        try await islands.run { try await alice.contacts.all().first?.name == "Bob" }
        try await islands.run { try await !islands.toBob.history().isEmpty }
        let request = try await alice.conversations.all().first
        #expect(request?.isRequest == true && request?.title == "Bob")
        try await alice.contacts.decide(.accept, about: bob.identity.id)
        let answer = try await islands.toBob.send("private text back")
        try await islands.run { try await islands.toBob.message(answer.id)?.status == .delivered }
        try await islands.run { try await islands.toAlice.message(first.id)?.status == .delivered }
        #expect(try await bob.contacts.all().map(\.name) == ["Alice"])
        let texts = try await islands.toAlice.history().map(\.text)
        #expect(texts == ["private text to a new person", "private text back"])
        try Self.search(islands)
        await islands.stop()
    }

    @Test("A file in the first message by a link comes once its sender is accepted")
    func firstFile() async throws {
        var islands = try await Islands(haveMet: false)
        try await islands.connect()
        let (alice, bob) = (islands.alice, islands.bob)
        await islands.run {
            let ages = await [alice.status.gatewayAge, bob.status.gatewayAge]
            return !ages.contains(nil)
        }
        try await bob.contacts.follow(try #require(IdentityCode(alice.identity.invite().text)))
        let file = islands.server.folder.appending(path: "picture.bin")
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) })
        try bytes.write(to: file)
        let sent = try await islands.toAlice.send("look", files: [FileDraft(file)])
        try await islands.run { try await !islands.toBob.history().isEmpty }
        #expect(try await islands.toBob.history().first?.files.first?.isComplete == false)
        // Her node asks for the mailbox of the new session. Keys, message and seven pieces come; nobody expects the pieces.
        await islands.mesh.run(for: .seconds(60))
        await islands.run { await alice.status.hubs.first?.fetchedCount ?? 0 >= 9 }
        await islands.mesh.run(for: .seconds(5))
        try await alice.contacts.decide(.accept, about: bob.identity.id)
        try await islands.run { try await islands.toAlice.message(sent.id)?.status == .delivered }
        let copies = islands.server.folder.appending(path: "copies")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        let copy = try await islands.toBob.saveFile(sent.id, to: copies)
        #expect(try Data(contentsOf: copy) == bytes)
        await islands.stop()
    }

    @Test("A hub that is killed again and again loses no message, and nothing is shown twice")
    func killed() async throws {
        var islands = try await Islands()
        let (toAlice, toBob) = (islands.toAlice, islands.toBob)
        try await islands.connect()
        var servers = [islands.server]
        var texts: [String] = []
        for round in 0..<5 {
            var messages: [MessageID] = []
            for number in 0..<4 {
                if number == 2 { servers.last?.end() }
                texts.append("\(round) \(number)")
                messages.append(try await toBob.send(texts.last ?? "").id)
                await islands.mesh.run(for: .milliseconds(20))
            }
            servers.append(try await islands.server.restarted())
            try await islands.run {
                for id in messages where try await toBob.message(id)?.status != .delivered { return false }
                return true
            }
        }
        #expect(try await toAlice.history().map(\.text).suffix(texts.count) == texts[...])
        #expect(await islands.alice.status.hubs.map(\.state) == ["live"])
        await islands.stop()
    }
}
