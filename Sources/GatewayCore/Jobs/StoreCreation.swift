package import Foundation

/// Makes the stream in which a hub keeps mail, or changes the room that it has.
package struct StoreCreation: HubJob {
    /// The result.
    package enum Outcome: Sendable {
        /// The hub keeps mail from now on.
        case created
        /// The hub kept mail before, and has the settings now.
        case changed
    }

    private enum Question: UInt64 {
        case info = 1
        case create
        case update
    }

    /// The parts of the server's answer that count.
    private struct Answer: Decodable {
        struct Settings: Decodable {
            let max_bytes: Int64
            let max_age: Int64
        }

        struct Contents: Decodable {
            let bytes: Int64
            let messages: Int64
        }

        let error: StoreFailure?
        let config: Settings?
        let state: Contents?
    }

    private let hub: HubURL
    private let stream: MailStream
    private let mayDelete: Bool

    /// The least and the most room.
    ///
    /// Units: bytes.
    package static let byteCounts: ClosedRange<Int64> = 1 << 20...1 << 50
    /// The number of servers that keep the mail: one, or a cluster of three or five.
    package static let replicaCounts = [1, 3, 5]
    /// Units: days that mail may be kept.
    package static let dayCounts: ClosedRange<Int64> = 1...7

    /// - Parameters:
    ///   - byteCount: The room of all mail together. Units: bytes, in `byteCounts`.
    ///   - replicas: The number of servers that each keep all of it, of `replicaCounts`.
    ///   - days: The days that mail is kept, in `dayCounts`.
    ///   - mayDelete: Whether a smaller store may delete mail.
    package init(at hub: HubURL, byteCount: Int64, replicas: Int, days: Int64, mayDelete: Bool = false) {
        self.hub = hub
        self.mayDelete = mayDelete
        stream = MailStream(byteCount: byteCount, replicas: replicas, days: days)
    }

    package func begin() -> [HubRequest] { ask(.info) }

    package mutating func take(_ event: HubEvent, after elapsed: Duration, at now: Date) -> HubStep<Outcome> {
        switch event {
        case .mail: .wait
        case .closed: .failed(.lost(hub))
        case .timeUp: .failed(.notOperator(hub))
        case .answer(let number, let answer): Question(rawValue: number).map { take(answer, to: $0) } ?? .wait
        }
    }

    private func take(_ answer: HubAnswer, to question: Question) -> HubStep<Outcome> {
        guard !answer.isUnanswered else { return .failed(.notOperator(hub)) }
        guard let reply = try? JSONDecoder().decode(Answer.self, from: Data(answer.body)) else {
            return .failed(.refused(hub, "its answer is none of a NATS server"))
        }
        switch (reply.error?.code, question) {
        // The server counts the room of a store that exists a second time if it is made again.
        case (nil, .info): return loss(by: reply).map { .failed($0) } ?? .ask(ask(.update))
        case (Self.noStream, .info): return .ask(ask(.create))
        case (nil, .create): return .done(.created)
        case (nil, .update): return .done(.changed)
        case (Self.noRoom, _): return .failed(.noRoom(hub, stream.byteCount))
        default: return .failed(.refused(hub, HubText.shown(reply.error?.text ?? "")))
        }
    }

    /// Returns the refusal of a change that would delete mail.
    private func loss(by reply: Answer) -> HubError? {
        guard !mayDelete, let settings = reply.config, let contents = reply.state, contents.messages > 0,
            stream.byteCount < contents.bytes || stream.nanoseconds < settings.max_age
        else { return nil }
        let days = settings.max_age / MailStream.nanosecondsOfDay
        return .wouldDelete(hub, byteCount: contents.bytes, days: days)
    }

    private func ask(_ question: Question) -> [HubRequest] {
        let verb =
            switch question {
            case .info: "INFO"
            case .create: "CREATE"
            case .update: "UPDATE"
            }
        let settings = question == .info ? Data() : (try? JSONEncoder().encode(stream)) ?? Data()
        let subject = "$JS.API.STREAM.\(verb).\(MailStream.name)"
        return [.publish(subject: subject, body: [UInt8](settings), id: nil, number: question.rawValue)]
    }

    /// Errors of JetStream by number.
    private static let (noStream, noRoom) = (10_059, 10_047)
}
