import Bytes
package import Foundation
import MeshCore

/// An envelope for nobody, by which a hub shows that it delivers, keeps and gives back mail.
///
/// It must come by the subscription to its random tag, be acknowledged, and be had again by a question.
package struct Canary: HubJob {
    /// The result.
    package struct Outcome: Sendable {
        /// The name of the stream that keeps the mail.
        package let stream: String
        /// The time from sending to the acknowledgement.
        package let roundTrip: Duration
        /// The difference of the clocks, if it is a finding: mail crosses all the same.
        ///
        /// Units: hours.
        package fileprivate(set) var clockHours: Int?
    }

    private enum Question: UInt64 {
        case keep = 1
        case giveBack
    }

    /// The acknowledgement of JetStream, as far as it counts.
    private struct Acknowledgement: Decodable {
        let stream: String?
        let error: StoreFailure?
    }

    private let hub: HubURL
    private let subject: String
    /// The subject of the question for what the hub has kept.
    private let question: String
    private let id: String
    private let envelope: [UInt8]
    private var isDelivered = false
    private var kept: Outcome?
    private var isGivenBack = false

    /// - Parameter random: The source of the tag, the envelope and its id.
    package init(for hub: HubURL, using random: inout some RandomNumberGenerator) {
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        }
        self.hub = hub
        let place = Self.place(of: bytes(16))
        (subject, question) = ("e." + place, "last." + place)
        id = Hex.text(bytes(32))
        // No kind of mail: whoever finds it discards it.
        envelope = Envelope(kind: 15, life: Envelope.maximumLife, body: bytes(252)).encoded()
    }

    /// Returns the end of the subjects of a tag of 16 bytes: its first digit, by which a large hub can be split, and all
    /// digits.
    ///
    /// Mail has `e.` before it, and the question for the last mail `last.`.
    static func place(of tag: [UInt8]) -> String {
        let digits = Hex.text(tag)
        return "\(digits.prefix(1)).\(digits)"
    }

    package func begin() -> [HubRequest] {
        [
            .subscribe(subject),
            .publish(subject: subject, body: envelope, id: id, number: Question.keep.rawValue),
        ]
    }

    package mutating func take(_ event: HubEvent, after elapsed: Duration, at now: Date) -> HubStep<Outcome> {
        switch event {
        case .closed: return .failed(.lost(hub))
        // Nobody keeps what nobody acknowledges.
        case .timeUp: return .failed(.noStore(hub))
        case .mail(let name, let body):
            if name == subject, body == envelope { isDelivered = true }
            return end
        case .answer(let number, let answer):
            switch Question(rawValue: number) {
            case .keep where kept == nil: return takeAcknowledgement(answer, after: elapsed)
            case .giveBack where kept != nil: return takeBack(answer, at: now)
            case .keep, .giveBack, nil: return .wait
            }
        }
    }

    private mutating func takeAcknowledgement(_ answer: HubAnswer, after elapsed: Duration) -> HubStep<Outcome> {
        guard let reply = try? JSONDecoder().decode(Acknowledgement.self, from: Data(answer.body)) else {
            return .failed(.noStore(hub))
        }
        if let error = reply.error {
            let isFull = error.code == Self.storeFailed && error.text.contains("maximum bytes")
            return .failed(isFull ? .full(hub) : .refused(hub, HubText.shown(error.text)))
        }
        guard let stream = reply.stream, Self.isMail(stream) else { return .failed(.noStore(hub)) }
        kept = Outcome(stream: stream, roundTrip: elapsed)
        return .ask([.publish(subject: question, body: [], id: nil, number: Question.giveBack.rawValue)])
    }

    private mutating func takeBack(_ answer: HubAnswer, at now: Date) -> HubStep<Outcome> {
        guard answer.status == nil, answer.body == envelope else { return .failed(.noStore(hub)) }
        if let time = answer.storedAt.flatMap(Self.time) {
            let hours = min(abs(time.timeIntervalSince(now)) / 3_600, Self.mostHours)
            guard hours < Self.mostClockHours else { return .failed(.clock(hub, hours: Int(hours))) }
            if hours >= Self.clockHours { kept?.clockHours = Int(hours) }
        }
        isGivenBack = true
        return end
    }

    private var end: HubStep<Outcome> {
        guard isDelivered, isGivenBack, let kept else { return .wait }
        return .done(kept)
    }

    /// Reads a time such as 2026-11-29T20:25:50.521832604Z.
    private static func time(_ text: String) -> Date? { try? Date.ISO8601FormatStyle().parse(text.prefix(19) + "Z") }

    /// Returns whether a stream keeps mail: `MAIL`, or `MAIL-` and a digit at a hub that was split.
    private static func isMail(_ stream: String) -> Bool {
        stream == MailStream.name || "0123456789abcdef".contains { stream == "\(MailStream.name)-\($0)" }
    }

    /// The number of JetStream's error for a message that it did not store.
    private static let storeFailed = 10_077
    /// The least difference of clocks that is a finding, and that with which no mailbox fits: they bear a day.
    private static let (clockHours, mostClockHours) = (20.0, 48.0)
    /// The greatest difference that is shown.
    private static let mostHours = 1_000_000.0
}
