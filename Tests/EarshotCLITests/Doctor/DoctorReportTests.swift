import EarshotRPC
import MeshDoctor
import Testing

@testable import EarshotCLI

@Suite("Doctor's report")
struct DoctorReportTests {
    private static func finding(_ area: Finding.Area, _ severity: Finding.Severity) -> Finding {
        let cause = Finding.Cause("cause", in: area)
        return switch severity {
        case .ok: .ok(cause, "subject", "What.")
        case .hint: .hint(cause, "subject", "What.", why: "Why.", mend: "Mend.")
        case .problem: .problem(cause, "subject", "What.", why: "Why.", mend: "Mend.")
        }
    }

    @Test("Only problems make a status, the first area's one")
    func status() {
        let status = { (findings: [Finding]) in DoctorReport(findings).status }
        #expect(status([]) == .done)
        #expect(status([Self.finding(.network, .ok), Self.finding(.home, .hint)]) == .done)
        #expect(status([Self.finding(.network, .problem)]) == .unavailable)
        #expect(status([Self.finding(.neighbours, .problem)]) == .unavailable)
        #expect(status([Self.finding(.cryptography, .problem)]) == .failed)
        #expect(status([Self.finding(.clock, .problem)]) == .failed)
        #expect(status([Self.finding(.home, .problem)]) == .refused)
        #expect(status([Self.finding(.home, .problem), Self.finding(.network, .problem)]) == .unavailable)
    }

    @Test("It is printed by area in columns, long sentences wrapped under themselves")
    func lines() {
        let cause = Finding.Cause("cause", in: .network)
        let long = (1...20).map { "word\($0)" }.joined(separator: " ")
        let report = DoctorReport([
            .ok(Finding.Cause("clock", in: .clock), "clock", "It is\u{1B} noon."),
            .problem(cause, "eth0 IPv4", long, why: "Why.", mend: "Mend."),
        ])
        #expect(
            report.lines { text, _ in text } == [
                "Network",
                "  PROBLEM  eth0 IPv4  word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12",
                "                      word13 word14 word15 word16 word17 word18 word19 word20",
                "                      Why:  Why.",
                "                      Fix:  Mend.",
                "",
                "Clock",
                "  ok       clock      It is\\u{1b} noon.",
                "",
                "1 problem.",
            ]
        )
        #expect(DoctorReport([Self.finding(.home, .ok)]).lines { text, _ in text }.last == "All is well.")
    }

    @Test("Programs read the names of area, cause and severity")
    func json() throws {
        let report = DoctorReport([Self.finding(.home, .hint), Self.finding(.clock, .ok)])
        #expect(
            String(decoding: try RPCCoding.encode(report), as: UTF8.self) == """
                {"findings":[{"area":"home","cause":"cause","mend":"Mend.","severity":"hint","subject":"subject",\
                "what":"What.","why":"Why."},{"area":"clock","cause":"cause","severity":"ok","subject":"subject",\
                "what":"What."}],"hints":1,"problems":0}
                """
        )
    }

    @Test("The cipher and locked memory are judged by what there is")
    func cryptography() {
        let found = { (source: String, isLocked: Bool) in
            CryptographyDiagnosis.findings(CryptographyFacts(cipherSource: source, isMemoryLocked: isLocked))
                .map { "\($0.severity) \($0.cause.name)" }
        }
        #expect(found("libsodium", true) == ["ok cipher", "ok memoryLock"])
        #expect(found("swift-crypto", true) == ["hint cipher", "ok memoryLock"])
        #expect(found("libsodium", false) == ["ok cipher", "hint memoryLock"])
    }
}
