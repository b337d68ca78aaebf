import MeshCore
import Testing

@testable import MeshDoctor

@Suite("Judging neighbours")
struct NeighbourDiagnosisTests {
    private static let facts: NetworkFacts = {
        var facts = NetworkFacts()
        facts.segments = [SegmentFacts(interface: "eth0", family: .v4, address: "10.0.0.1", subnet: "10.0.0.0/24")]
        facts.listened = .milliseconds(2_500)
        return facts
    }()

    private func found(isSound: Bool = true, _ change: (inout NetworkFacts) -> Void) -> [Finding] {
        var facts = Self.facts
        change(&facts)
        return NeighbourDiagnosis.findings(facts, isSound: isSound)
    }

    private static func node(_ last: Int, isHere: Bool = false, isOfClosedMesh: Bool = false) -> NetworkFacts.Node {
        .init(interface: "eth0", address: "10.0.0.\(last)", isHere: isHere, isOfClosedMesh: isOfClosedMesh)
    }

    @Test("Nobody heard is a hint that names isolation, or the problems above")
    func nobody() throws {
        let sound = try #require(found { _ in }.first)
        #expect(sound.severity == .hint && sound.cause == .neighbours)
        #expect(sound.what == "No node on another machine was heard in 2.5 s.")
        #expect(sound.why?.contains("client isolation") == true)
        let unsound = try #require(found(isSound: false) { _ in }.first)
        #expect(unsound.why == "The problems above may explain it.")
    }

    @Test("Nodes of this machine alone are no neighbours")
    func here() {
        let findings = found { $0.nodes = [Self.node(1, isHere: true)] }
        #expect(findings.map(\.severity) == [.hint])
        #expect(
            findings.first?.what
                == "No node on another machine was heard in 2.5 s. 1 node on this machine is heard."
        )
    }

    @Test("Who is heard is told with addresses, closed meshes and nodes of this machine apart")
    func heard() {
        let one = found { $0.nodes = [Self.node(2)] }
        #expect(
            one == [.ok(.neighbours, "neighbours", "1 node on another machine is heard: 10.0.0.2 on eth0.")]
        )
        let many = found { facts in
            facts.nodes =
                (2...6).map { Self.node($0) } + [Self.node(7, isOfClosedMesh: true), Self.node(1, isHere: true)]
        }
        #expect(
            many.map(\.what) == [
                "6 nodes on other machines are heard: 10.0.0.2 on eth0, 10.0.0.3 on eth0, 10.0.0.4 on eth0, "
                    + "10.0.0.5 on eth0, …. 1 of them is in a mesh with a passphrase. 1 node on this machine is heard."
            ]
        )
    }

    @Test("A running node that sees neighbours and links to none is isolated")
    func isolation() {
        let causes = { (links: Int, neighbours: Int) in
            found { $0.running = .init(linkCount: links, neighbourCount: neighbours) }.dropFirst()
                .map { "\($0.severity) \($0.what)" }
        }
        #expect(causes(0, 3) == ["problem It sees 3 neighbours, but has no link."])
        #expect(causes(0, 0) == ["ok It sees 0 neighbours and has 0 links."])
        #expect(causes(1, 3) == ["ok It sees 3 neighbours and has 1 link."])
    }

    @Test("Another machine that looks as well shows whether the way is free")
    func unknownNodes() {
        let answering = found { $0.segments[0].unknownNodes = [.init(address: "10.0.0.2", hasAnswered: true)] }
        #expect(answering.map(\.cause) == [.neighbours, .otherDoctor])
        #expect(answering.map(\.severity) == [.hint, .ok])
        #expect(answering.first?.mend == "Start one: `earshot node`.")
        let silent = found { $0.segments[0].unknownNodes = [.init(address: "10.0.0.2", hasAnswered: false)] }
        #expect(silent.map(\.severity) == [.hint, .hint])
    }

    @Test("Without any segment there is nobody to speak of")
    func nothing() {
        #expect(found { $0.segments = [] } == [])
    }
}
