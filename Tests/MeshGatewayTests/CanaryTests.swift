import Foundation
import Testing

@testable import GatewayCore

/// Tests of the judgement over a hub's answers, without a hub.
@Suite("Canaries")
struct CanaryTests {
    private let hub: HubURL
    private let canary: Canary
    private let subject: String
    private let envelope: [UInt8]

    init() throws {
        hub = try HubURL("tls://hub.example.org")
        var random = SystemRandomNumberGenerator()
        canary = Canary(for: hub, using: &random)
        guard case .publish(let subject, let body, _, _) = try #require(canary.begin().last) else {
            throw CocoaError(.featureUnsupported)
        }
        (self.subject, envelope) = (subject, body)
    }

    /// Returns the failure to which events lead; nil for none.
    private func failure(_ events: [HubEvent], now: Date = .distantPast) -> HubError? {
        var canary = canary
        for event in events {
            if case .failed(let error) = canary.take(event, after: .milliseconds(3), at: now) { return error }
        }
        return nil
    }

    private func answer(_ number: UInt64, _ body: String, status: Int? = nil) -> HubEvent {
        .answer(number, HubAnswer(status: status, body: Array(body.utf8)))
    }

    private func givenBack(at time: String?) -> HubEvent {
        .answer(2, HubAnswer(storedAt: time, body: envelope))
    }

    @Test("All three signs are needed, in any order")
    func signs() {
        let signs = [
            HubEvent.mail(subject: subject, body: envelope), answer(1, #"{"stream":"MAIL","seq":1}"#),
            givenBack(at: nil),
        ]
        for order in [[0, 1, 2], [1, 0, 2], [1, 2, 0]] {
            var canary = canary
            for (place, number) in order.enumerated() {
                let step = canary.take(signs[number], after: .milliseconds(3), at: .now)
                if case .done(let outcome) = step {
                    #expect(place == 2 && outcome.stream == "MAIL" && outcome.roundTrip == .milliseconds(3))
                } else {
                    #expect(place < 2)
                }
            }
        }
    }

    @Test(
        "Clocks may differ by less than 20 hours; below 48 that is a finding, and beyond no mail crosses",
        arguments: [(19, nil), (-19, nil), (20, 20), (-26, 26), (47, 47), (48, 48), (70_000_000, 1_000_000)]
            as [(Double, Int?)]
    )
    func clocks(hours: Double, shown: Int?) throws {
        let stored = try Date.ISO8601FormatStyle().parse("2026-11-29T20:25:50Z")
        let now = stored.addingTimeInterval(hours * 3_600)
        let events = [answer(1, #"{"stream":"MAIL"}"#), givenBack(at: "2026-11-29T20:25:50.521832604Z")]
        #expect(failure(events, now: now)?.code == (abs(hours) < 48 ? nil : .clock))
        // Until the subscription has brought it, the hub is not examined.
        var canary = canary
        for event in events { _ = canary.take(event, after: .zero, at: now) }
        guard abs(hours) < 48 else { return }
        let last = canary.take(.mail(subject: subject, body: envelope), after: .zero, at: now)
        guard case .done(let outcome) = last else {
            Issue.record("the examination has not ended")
            return
        }
        #expect(outcome.clockHours == shown)
    }

    @Test(
        "Each bad answer has its finding",
        arguments: [
            (#"{"error":{"err_code":10077,"description":"maximum bytes exceeded"}}"#, .full),
            (#"{"error":{"err_code":10077,"description":"maximum messages per subject exceeded"}}"#, .refused),
            (#"{"stream":"OTHER"}"#, .noStore), (#"{"stream":"MAIL-g"}"#, .noStore), ("{}", .noStore), ("", .noStore),
            ("[[[[", .noStore), (#"{"error":{"err_code":99999999999999999999}}"#, .noStore),
        ] as [(String, HubError.Code)]
    )
    func bad(body: String, code: HubError.Code) {
        #expect(failure([answer(1, body)])?.code == code)
    }

    @Test("Mail that is not given back as it was sent is not kept")
    func lost() {
        let kept = answer(1, #"{"stream":"MAIL-f"}"#)
        #expect(failure([kept, answer(2, "", status: 404)])?.code == .noStore)
        #expect(failure([kept, answer(2, "something else")])?.code == .noStore)
        #expect(failure([kept, .timeUp(0)])?.code == .noStore)
        #expect(failure([kept, .closed])?.code == .lost)
        // Answers to other questions, and second ones, change nothing.
        #expect(failure([answer(2, "early"), answer(9, "x"), kept, kept]) == nil)
    }
}
