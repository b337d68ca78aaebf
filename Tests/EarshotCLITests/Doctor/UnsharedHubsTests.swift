import ChatCore
import ChatCrypto
import MeshDoctor
import Testing

@testable import EarshotCLI
@testable import EarshotRPC

@Suite("Contacts that read at other hubs")
struct UnsharedHubsTests {
    private static let own = ["tls://hub.example.org"]

    private static func contact(_ name: String, _ hubs: [String], successor: PeerID? = nil) -> ContactReply {
        let identity = Identity().publicIdentity
        return ContactReply(Contact(id: identity.id, name: name, identity: identity, successor: successor, hubs: hubs))
    }

    @Test("The finding names the contact, the hub, and the command that joins it")
    func text() throws {
        let hubs = UnsharedHubs([Self.contact("Anna", ["tls://b.example.org"])], hubs: Self.own)
        #expect(
            hubs.notes == [
                "Anna reads at b.example.org, you do not. 'earshot hub add tls://b.example.org' joins it."
            ]
        )
        let finding = try #require(hubs.findings.first)
        #expect(finding.cause == Finding.Cause("hubNotShared", in: .hub) && finding.severity == .hint)
        let report = DoctorReport(hubs.findings)
        #expect(report.status.rawValue == 0)
        let lines = report.lines { text, _ in text }
        #expect(lines.first == "Hub" && lines.contains { $0.hasSuffix("Anna reads at b.example.org, you do not.") })
        #expect(lines.contains { $0.hasSuffix("Fix:  'earshot hub add tls://b.example.org' joins it.") })
    }

    @Test(
        "Nothing is found with one hub in common, by its name and port, nor without an own hub or one that can be joined",
        arguments: [
            (["tls://b.example.org", "tls://hub.example.org:4222"], own), (["nats://10.0.0.5"], ["tls://10.0.0.5"]),
            (["tls://b.example.org"], []), ([], own), (["nats://b.example.org"], own), (["no address"], own),
        ]
    )
    func shared(hubs: [String], own: [String]) {
        #expect(UnsharedHubs([Self.contact("Anna", hubs)], hubs: own).findings.isEmpty)
    }

    @Test("An identity that was replaced is left out")
    func replaced() {
        let contact = Self.contact("Anna", ["tls://b.example.org"], successor: Identity().publicIdentity.id)
        #expect(UnsharedHubs([contact], hubs: Self.own).findings.isEmpty)
    }

    @Test("Three contacts are named, and the others counted", arguments: [(3, nil), (4, 1), (9, 6)] as [(Int, Int?)])
    func count(contacts: Int, rest: Int?) {
        let contacts = (0..<contacts).map { Self.contact("A\($0)", ["tls://b.example.org"]) }
        let notes = UnsharedHubs(contacts, hubs: Self.own).notes
        #expect(notes.prefix(3).allSatisfy { $0.contains("reads at b.example.org, you do not.") })
        let last = rest.map { rest in
            let subject = "\(rest) more contact\(rest == 1 ? " reads" : "s read")"
            return "\(subject) at hubs that you do not use. 'earshot peers --json' names them."
        }
        #expect(Array(notes.dropFirst(3)) == [last].compactMap(\.self))
    }

    @Test("The name of a contact cannot steer the terminal")
    func escaped() {
        let hubs = UnsharedHubs([Self.contact("An\u{1B}[2J\u{202E}na", ["tls://b.example.org"])], hubs: Self.own)
        let lines = DoctorReport(hubs.findings).lines { text, _ in text }
        var table = Table()
        for note in hubs.notes { table.add("Note", note) }
        for line in lines + table.lines {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
    }
}
