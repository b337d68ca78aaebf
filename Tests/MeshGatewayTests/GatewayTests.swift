import Foundation
import MeshCore
import Testing

@testable import GatewayCore
@testable import MeshGateway

/// Tests with real servers on the loopback interface.
@Suite("Gateways and real hubs", .timeLimit(.minutes(30)))
struct GatewayTests {
    /// A mesh in memory: it keeps all mail, and hands new mail to its gateway.
    private actor Mesh: FarMesh {
        private(set) var arrivals: [EnvelopeID: Int] = [:]
        private(set) var announcements = 0
        /// The own mail that a hub has acknowledged.
        private(set) var names: Set<[UInt8]> = []
        private var stored: [FarEnvelope] = []
        private var known: Set<EnvelopeID> = []
        private var gateway: Gateway?
        private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        func attach(_ gateway: Gateway) { self.gateway = gateway }

        func noteStored(_ name: [UInt8], at hub: HubURL) { names.insert(name) }

        func write(_ envelopes: [Envelope]) async {
            let own = envelopes.map { FarEnvelope(envelope: $0, id: EngineHashes.id($0), link: nil) }
            for item in own where item.envelope.kind == .far {
                stored.append(item)
                known.insert(item.id)
            }
            await gateway?.take(own)
        }

        /// Returns once this many envelopes have come from afar.
        func wait(for count: Int) async {
            guard arrivals.count < count else { return }
            await withCheckedContinuation { waiting.append((count, $0)) }
        }

        func inject(_ envelopes: [Envelope]) async {
            for envelope in envelopes {
                let id = EngineHashes.id(envelope)
                arrivals[id, default: 0] += 1
                guard known.insert(id).inserted else { continue }
                let item = FarEnvelope(envelope: envelope, id: id, link: EngineWorld.farLink)
                stored.append(item)
                await gateway?.take([item])
            }
            let ready = waiting.filter { $0.count <= arrivals.count }
            waiting.removeAll { $0.count <= arrivals.count }
            for item in ready { item.continuation.resume() }
        }

        func submitFar(kind: EnvelopeKind, body: [UInt8], life: UInt16) { announcements += 1 }

        func storedFar() -> [FarEnvelope] { stored }
    }

    /// Makes the gateway of a mesh.
    private func gateway(_ mesh: Mesh, _ url: HubURL, _ server: HubServer) async -> Gateway {
        let gateway = Gateway(hubs: [url], authorities: server.certificate, mesh: mesh, hashes: EngineHashes.all)
        await mesh.attach(gateway)
        await gateway.start()
        return gateway
    }

    @Test("Two networks exchange 500 envelopes over a hub that is killed meanwhile, each once")
    func exchange() async throws {
        let server = try HubServer()
        #expect(try await HubOperator(server).create() == .created)
        let url = try await server.url()
        let meshes = [Mesh(), Mesh()]
        var mail = EngineMail()
        let tags = (0..<2).map { _ in (0..<10).map { _ in mail.tag() } }
        var gateways: [Gateway] = []
        for mesh in meshes { gateways.append(await gateway(mesh, url, server)) }
        for island in 0..<2 { await meshes[island].write([mail.watch(tags[island])]) }
        var sent: [[Envelope]] = [[], []]
        for index in 0..<500 {
            sent[index % 2].append(mail.far(tags[1 - index % 2][index / 2 % 10], byteCount: 400))
        }
        for island in 0..<2 { await meshes[island].write(Array(sent[island].prefix(100))) }
        await meshes[1].wait(for: 50)
        server.end()
        for island in 0..<2 { await meshes[island].write(Array(sent[island][100..<200])) }
        let again = try await server.restarted()
        for island in 0..<2 { await meshes[island].write(Array(sent[island][200...])) }
        for island in 0..<2 {
            await meshes[island].wait(for: 250)
            let arrivals = await meshes[island].arrivals
            #expect(Set(arrivals.keys) == Set(sent[1 - island].map(EngineHashes.id)))
            #expect(arrivals.values.allSatisfy { $0 == 1 })
            #expect(await meshes[island].announcements >= 1)
            let counters = try #require(await gateways[island].figures().first?.counters)
            #expect(counters.fetched == 250)
            #expect(counters.reconnects >= 1)
        }
        for gateway in gateways { await gateway.stop() }
        again.end()
        // It owns the folder of both.
        withExtendedLifetime(server) {}
    }

    @Test("Mail that was written while the reader's network was away waits at the hub")
    func away() async throws {
        let server = try HubServer()
        #expect(try await HubOperator(server).create() == .created)
        let url = try await server.url()
        var mail = EngineMail()
        let tag = mail.tag()
        let (author, reader) = (Mesh(), Mesh())
        let letters = (0..<20).map { _ in mail.far(tag, byteCount: 16_000) }
        await author.write(letters)
        let first = await gateway(author, url, server)
        while await first.figures().first?.counters.published != 20 { await Task.yield() }
        await first.stop()
        let second = Gateway(hubs: [url], authorities: server.certificate, mesh: reader, hashes: EngineHashes.all)
        await reader.attach(second)
        // Requests may come before the start.
        await reader.write([mail.watch([tag])])
        await second.start()
        await second.start()
        await reader.wait(for: 20)
        let status = try #require(await second.status().first)
        #expect(status.fetched == 20 && status.tags == 1 && status.error == nil)
        #expect(status.rtt ?? 0 > 0)
        await second.stop()
    }

    @Test("A wrong login shows in the status, and nothing is sent")
    func login() async throws {
        let server = try HubServer()
        let mesh = Mesh()
        let gateway = await gateway(mesh, try await server.url(login: "club:wrong"), server)
        while await gateway.status().first?.state != .refused { await Task.yield() }
        #expect(await gateway.status().first?.error?.code == "hubLogin")
        await gateway.stop()
    }
}
