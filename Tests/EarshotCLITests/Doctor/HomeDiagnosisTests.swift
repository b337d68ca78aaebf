import Earshot
import MeshDoctor
import Testing

@testable import EarshotCLI

@Suite("Judging a home")
struct HomeDiagnosisTests {
    private static let path = "/home/alice/earshot"

    private func found(answers: Bool = false, _ change: (inout HomeFacts) -> Void) -> [String] {
        var facts = HomeFacts(path: Self.path)
        facts.key = .file
        facts.keyMode = 0o600
        change(&facts)
        return HomeDiagnosis.findings(facts, answers: answers).map { "\($0.severity) \($0.cause.name): \($0.what)" }
    }

    @Test("The state of a home that is well is told")
    func states() {
        #expect(
            found { _ in } == [
                "ok home: /home/alice/earshot has no passphrase: its permissions protect it. No node runs there."
            ]
        )
        #expect(
            found { $0.key = .passphrase } == [
                "ok home: /home/alice/earshot has a passphrase. No node runs there."
            ]
        )
        #expect(
            found(answers: true) { $0.owner = .process(12) } == [
                "ok home: Process 12 runs a node in /home/alice/earshot, and it answers."
            ]
        )
    }

    @Test("No home, no identity and a holder that does not answer are hints")
    func hints() {
        #expect(found { $0.exists = false } == ["hint home: There is no data directory at /home/alice/earshot yet."])
        #expect(found { $0.key = .missing } == ["hint home: /home/alice/earshot has no identity yet."])
        #expect(
            found { $0.owner = .process(12) } == [
                "hint home: Process 12 has /home/alice/earshot open and does not answer."
            ]
        )
        #expect(
            found { $0.owner = .process(nil) } == [
                "hint home: Another process has /home/alice/earshot open and does not answer."
            ]
        )
    }

    @Test("Permissions for others are problems, each with its mode")
    func permissions() {
        #expect(
            found { $0.mode = 0o755 }.first
                == "problem homeNotPrivate: Others can read /home/alice/earshot: its mode is 755."
        )
        #expect(
            found { $0.keyMode = 0o640 }.first
                == "problem keyNotPrivate: Others can read the key in /home/alice/earshot: its mode is 640."
        )
        #expect(found { $0.mode = 0o700 }.count == 1)
    }

    @Test("A vault may be read by others, since the passphrase closes it")
    func vault() {
        let findings = found { facts in
            facts.key = .passphrase
            facts.keyMode = 0o644
        }
        #expect(findings == ["ok home: /home/alice/earshot has a passphrase. No node runs there."])
    }

    @Test("Another user's home is a problem")
    func owner() {
        #expect(
            found { $0.isOwn = false }.first
                == "problem homeNotOwn: /home/alice/earshot belongs to another user of this machine."
        )
    }
}
