import Foundation
import MeshDoctor
import Testing

@testable import EarshotCLI

@Suite("Judging a clock")
struct ClockDiagnosisTests {
    private static let now = ClockDiagnosis.beginning.addingTimeInterval(1_000 * 86_400)

    private func found(_ change: (inout ClockFacts) -> Void) -> [String] {
        var facts = ClockFacts(now: Self.now)
        facts.built = Self.now.addingTimeInterval(-86_400)
        facts.lastChange = Self.now.addingTimeInterval(-60)
        change(&facts)
        return ClockDiagnosis.findings(facts).map { "\($0.severity) \($0.cause.name)" }
    }

    private static func later(_ seconds: TimeInterval) -> Date { now.addingTimeInterval(seconds) }

    @Test("A clock that fits what happened is well")
    func sound() {
        #expect(found { _ in } == ["ok clock"])
        #expect(
            found { facts in
                facts.built = nil
                facts.lastChange = nil
            } == ["ok clock"]
        )
    }

    @Test("A clock before the program was built is a problem, beyond the day that is tolerated")
    func build() {
        #expect(found { $0.built = Self.later(ClockDiagnosis.tolerance) } == ["ok clock"])
        #expect(found { $0.built = Self.later(ClockDiagnosis.tolerance + 1) } == ["problem clockBehind"])
    }

    @Test("A clock before there was any Earshot is a problem, whatever the files say")
    func beginning() {
        let early = ClockDiagnosis.beginning.addingTimeInterval(-2 * 86_400)
        #expect(
            found { facts in
                facts.now = early
                facts.built = Date(timeIntervalSince1970: 1)
                facts.lastChange = nil
            } == ["problem clockBehind"]
        )
    }

    @Test("A clock before the home's last change went back: a hint within a day, a problem beyond")
    func wentBack() {
        #expect(found { $0.lastChange = Self.later(ClockDiagnosis.smallestStep) } == ["ok clock"])
        #expect(found { $0.lastChange = Self.later(ClockDiagnosis.smallestStep + 1) } == ["hint clockBehind"])
        #expect(found { $0.lastChange = Self.later(ClockDiagnosis.tolerance + 1) } == ["problem clockBehind"])
    }

    @Test("A clock more than a year after anything happened is a hint")
    func ahead() {
        let long = { (facts: inout ClockFacts, extra: TimeInterval) in
            facts.built = Self.later(-ClockDiagnosis.longAbsence - extra)
            facts.lastChange = facts.built
        }
        #expect(found { long(&$0, 0) } == ["ok clock"])
        #expect(found { long(&$0, 1) } == ["hint clockAhead"])
    }

    @Test("A program whose file has a time before there was any Earshot says nothing of the clock")
    func packaged() {
        #expect(
            found { facts in
                facts.built = Date(timeIntervalSince1970: 1)
                facts.lastChange = nil
            } == ["ok clock"]
        )
    }

    @Test("A clock that is set while it is looked at is a hint", arguments: [1, -1])
    func set(sign: Int) {
        #expect(found { $0.jump = .seconds(sign) } == ["ok clock"])
        #expect(found { $0.jump = .milliseconds(1_001 * sign) } == ["hint clockSet"])
    }
}
