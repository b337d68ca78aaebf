import MeshCore
import Testing

@testable import MeshDoctor

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Judging segments")
struct SegmentDiagnosisTests {
    private static func sound(_ family: AddressFamily = .v4) -> SegmentFacts {
        var facts = SegmentFacts(interface: "eth0", family: family, address: "10.0.0.1", subnet: "10.0.0.0/24")
        facts.groupPort = 28_787
        facts.sending = .succeeded
        facts.hearsItself = true
        facts.sendingToLinks = .succeeded
        facts.hearsLinks = true
        facts.second = .answered
        return facts
    }

    private func findings(_ segments: SegmentFacts..., six: InterfaceFacts.SixState = .ready) -> [Finding] {
        var facts = NetworkFacts()
        var interface = InterfaceFacts(name: "eth0")
        interface.six = six
        facts.interfaces = [interface]
        facts.segments = segments
        return SegmentDiagnosis.findings(facts)
    }

    private func found(_ change: (inout SegmentFacts) -> Void) -> [String] {
        var segment = Self.sound()
        change(&segment)
        return findings(segment).map { "\($0.severity) \($0.cause.name) \($0.subject)" }
    }

    @Test("A segment that is well gets one line, and one more if there was no second process")
    func sound() {
        #expect(found { _ in } == ["ok segment eth0 IPv4"])
        #expect(found { $0.second = .absent } == ["ok segment eth0 IPv4", "hint noSecondProcess second process"])
    }

    @Test("Each cause is found by what it does", arguments: Case.all)
    func causes(_ example: Case) {
        #expect(found(example.change) == [example.finding])
    }

    /// A cause: its effect on the facts of a segment, and the finding that names it.
    struct Case: Sendable, CustomTestStringConvertible {
        let finding: String
        let change: @Sendable (inout SegmentFacts) -> Void
        var testDescription: String { finding }

        static let all = [
            Case("problem firewallOut") { $0.sending = .refused(EPERM) },
            Case("problem noRoute") { $0.sending = .refused(ENETUNREACH) },
            Case("problem sendRefused") { $0.sending = .refused(ENOBUFS) },
            Case("problem firewallIn") { facts in
                facts.hearsItself = false
                facts.second = .deaf
            },
            Case("problem linkPortClosed") { $0.hearsLinks = false },
            Case("problem linkPortClosed") { $0.sendingToLinks = .refused(EPERM) },
            Case("problem secondProcessDeaf") { $0.second = .deaf },
            Case("problem unicastDropped") { $0.second = .heard },
            Case("problem socketRefused") { $0.failure = .init(.unicast, error: EMFILE) },
            Case("problem socketRefused") { $0.failure = .init(.group(port: 28_787), error: ENOBUFS) },
        ]

        init(_ finding: String, _ change: @escaping @Sendable (inout SegmentFacts) -> Void) {
            self.finding = finding + " eth0 IPv4"
            self.change = change
        }
    }

    @Test("Where no group is joined there is nothing to say")
    func noGroups() {
        #expect(found { $0.sending = .none } == [])
    }

    @Test("A port that another program has is told once, with all places")
    func port() throws {
        var (four, six) = (Self.sound(), Self.sound(.v6))
        four.failure = .init(.group(port: 28_787), error: EADDRINUSE)
        six.failure = .init(.group(port: 28_787), error: EADDRINUSE)
        let findings = findings(four, six)
        #expect(findings.map(\.cause) == [.portTaken])
        #expect(
            findings.first?.what == "A program uses UDP port 28787 exclusively (eth0 IPv4, eth0 IPv6)."
        )
    }

    @Test("An IPv6 address that cannot be bound is not ready yet, or somebody else's")
    func six() {
        var segment = Self.sound(.v6)
        segment.failure = .init(.unicast, error: EADDRNOTAVAIL)
        #expect(findings(segment, six: .tentative).map(\.cause) == [.sixNotReady])
        #expect(findings(segment, six: .tentative).map(\.severity) == [.hint])
        #expect(findings(segment, six: .duplicate).map(\.cause) == [.sixDuplicate])
        #expect(findings(segment, six: .duplicate).map(\.severity) == [.problem])
    }

    @Test("A small receive buffer is a hint")
    func buffer() {
        var segment = Self.sound()
        segment.receiveBufferByteCount = SegmentDiagnosis.smallestReceiveBuffer
        #expect(
            findings(segment).last
                == .ok(
                    .receiveBuffer,
                    "receive buffer",
                    "The system grants 128 KiB for unread datagrams."
                )
        )
        segment.receiveBufferByteCount -= 1
        #expect(findings(segment).last?.severity == .hint)
    }

    @Test("The second process's report tells deaf from unanswered, and only for the asker's own questions")
    func report() {
        var facts = NetworkFacts()
        var (four, six) = (Self.sound(), Self.sound(.v6))
        four.second = .deaf
        six.second = .answered
        facts.segments = [four, six]
        let hearing = { (asker: UInt64) in WitnessReport.Hearing(interface: "eth0", family: .v4, asker: asker) }
        facts.add(WitnessReport([hearing(8)]), of: 7)
        #expect(facts.segments.map(\.second) == [.deaf, .answered])
        facts.add(WitnessReport([hearing(8), hearing(7)]), of: 7)
        #expect(facts.segments.map(\.second) == [.heard, .answered])
    }
}
