import MeshCore
import NIOPosix
import Testing

@testable import MeshDoctor
@testable import MeshTransport

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Tests with real sockets on the loopback interface; the end-to-end tests cover firewalls and other interfaces.
@Suite("Doctor on loopback", .timeLimit(.minutes(30)))
struct DoctorLoopbackTests {
    private func plan(_ id: UInt64, _ group: MulticastGroup) -> ProbePlan {
        ProbePlan(id: id, interfaces: [MeshNode.Configuration.loopbackName], groups: [group])
    }

    /// Examines the network until `hasHeard` holds, because an overloaded machine may lose seconds or refuse a socket.
    private func look(_ plan: ProbePlan, until hasHeard: (NetworkFacts) -> Bool) async -> NetworkFacts {
        var facts: NetworkFacts
        repeat { facts = await Doctor.examine(plan, for: .milliseconds(700)) } while !hasHeard(facts)
        return facts
    }

    @Test("It hears itself and the second one, which reports what it heard and ends when told to")
    func second() async throws {
        let group = try await MulticastGroup.unused()
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        let (ready, announce) = AsyncStream<Void>.makeStream()
        let witnessPlan = plan(8, group)
        async let report = Doctor.attend(witnessPlan, until: reading) { announce.finish() }
        for await _ in ready {}
        var own = plan(7, group)
        own.second = 8
        let facts = await look(own) { $0.segments.first?.second == .answered && $0.segments.first?.hearsLinks == true }
        close(writing)

        let segment = try #require(facts.segments.first)
        #expect(facts.segments.count == 1)
        #expect([segment.sending, segment.sendingToLinks] == [.succeeded, .succeeded])
        #expect([segment.hearsItself, segment.hearsLinks] == [true, true])
        #expect(segment.second == .answered)
        #expect(segment.receiveBufferByteCount > 0)
        #expect(segment.unknownNodes == [] && facts.nodes == [])
        let heard = WitnessReport.Hearing(interface: segment.interface, family: .v4, asker: 7)
        #expect(await report == WitnessReport([heard]))
    }

    @Test("A node is heard, and neither links to the doctor nor takes it for a neighbour")
    func node() async throws {
        let group = try await MulticastGroup.unused()
        let node = MeshNode.onLoopback(group)
        try await node.start()
        let facts = await look(plan(7, group)) { !$0.nodes.isEmpty }
        await node.stop()
        #expect(facts.nodes.map(\.isHere) == [true])
        #expect(facts.segments.map(\.hearsItself) == [true])
        let snapshot = await node.snapshot()
        #expect(snapshot.neighbours == [] && snapshot.links.isEmpty)
    }

    @Test("A port that another socket has for itself is found")
    func portTaken() async throws {
        let hog = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "0.0.0.0", port: 0)
            .get()
        let port = try #require(hog.localAddress?.port)
        let group = try #require(MulticastGroup("239.255.0.77:\(port)"))
        let facts = await Doctor.examine(plan(7, group), for: .milliseconds(10))
        try await hog.close()
        #expect(facts.segments.map(\.failure) == [.init(.group(port: group.port), error: EADDRINUSE)])
        #expect(facts.segments.map(\.sending) == [.none])
    }

    @Test("Subnets are told by their first address")
    func subnets() {
        let text = { (bytes: [UInt8], length: Int) in Prefix(address: address(bytes), length: length).text }
        #expect(text([10, 1, 2, 3], 24) == "10.1.2.0/24")
        #expect(text([10, 1, 255, 3], 19) == "10.1.224.0/19")
        #expect(text([10, 1, 2, 3], 32) == "10.1.2.3/32")
        #expect(text([10, 1, 2, 3], 0) == "0.0.0.0/0")
    }
}
