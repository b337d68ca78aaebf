import Foundation
import MeshCore

@testable import GatewayCore

/// A hub as a plain value: it keeps mail by subject and answers as the example's configuration does.
struct EngineModelHub {
    struct Mail {
        let sequence: UInt64
        let body: [UInt8]
        let storedAt: Date
    }

    /// A message for the gateway of this number.
    typealias Message = (gate: Int, event: HubEvent)

    var isUp = true
    var role = HubRole.whole
    /// Whether the stream is there; without it nothing answers.
    var keepsMail = true
    /// The subjects of questions that get no answer.
    var silentSubjects: Set<String> = []
    var mailboxLimit = MailStream.mailboxMessageCount
    var byteLimit = Int.max
    /// The time by which its clock is ahead.
    ///
    /// Units: seconds.
    var clockError: TimeInterval = 0
    /// The requests of all gateways, in their order.
    private(set) var requests: [(gate: Int, request: HubRequest)] = []
    private(set) var mail: [String: [Mail]] = [:]
    private(set) var subscriptions: [Int: Set<String>] = [:]
    /// The publications of each id, repeated ones included.
    private(set) var publications: [String: Int] = [:]
    private(set) var lastSequence: UInt64 = 0
    private var ids: [String: (sequence: UInt64, time: Date)] = [:]
    private var byteCount = 0

    /// Ends the connection of a gateway.
    mutating func disconnect(_ gate: Int) { subscriptions[gate] = nil }

    /// Loses all mail.
    mutating func wipe() { (mail, ids, lastSequence, byteCount) = ([:], [:], 0, 0) }

    mutating func forgetRequests() { requests = [] }

    mutating func take(_ request: HubRequest, from gate: Int, date: Date) -> [Message] {
        requests.append((gate, request))
        switch request {
        case .subscribe(let subject): subscriptions[gate, default: []].insert(subject)
        case .unsubscribe(let subject): subscriptions[gate]?.remove(subject)
        case .publish(let subject, let body, let id, let number):
            guard !silentSubjects.contains(subject) else { return [] }
            if subject == "next" { return [(gate, .answer(number, next(body)))] }
            if subject.hasPrefix("last.") {
                return [
                    (
                        gate,
                        .answer(number, answer(mail["e." + subject.dropFirst(5)]?.last, "e." + subject.dropFirst(5)))
                    )
                ]
            }
            return publish(body, subject: subject, id: id, number: number, from: gate, date: date)
        }
        return []
    }

    /// Takes mail of a guest.
    mutating func publish(
        _ body: [UInt8],
        subject: String,
        id: String?,
        number: UInt64 = 0,
        from gate: Int? = nil,
        date: Date
    ) -> [Message] {
        let live = subscriptions.filter { $0.value.contains(subject) }.keys.sorted()
        var messages = live.map { (gate: $0, event: HubEvent.mail(subject: subject, body: body)) }
        if let id { publications[id, default: 0] += 1 }
        guard keepsMail else { return messages }
        let acknowledgement = keep(body, subject: subject, id: id, date: date)
        if let gate { messages.append((gate, .answer(number, HubAnswer(body: Array(acknowledgement.utf8))))) }
        return messages
    }

    private mutating func keep(_ body: [UInt8], subject: String, id: String?, date: Date) -> String {
        if let id, let old = ids[id], date.timeIntervalSince(old.time) < 300 {
            return #"{"stream":"MAIL","seq":\#(old.sequence),"duplicate":true}"#
        }
        func refusal(_ text: String) -> String { #"{"error":{"code":503,"err_code":10077,"description":"\#(text)"}}"# }
        if mail[subject]?.count ?? 0 >= mailboxLimit { return refusal("maximum messages per subject exceeded") }
        if byteCount + body.count > byteLimit { return refusal("maximum bytes exceeded") }
        lastSequence += 1
        byteCount += body.count
        mail[subject, default: []].append(Mail(sequence: lastSequence, body: body, storedAt: date))
        if let id { ids[id] = (lastSequence, date) }
        return #"{"stream":"MAIL","domain":"hub","seq":\#(lastSequence)}"#
    }

    private struct Next: Decodable {
        let seq: UInt64
        let next_by_subj: String
    }

    private func next(_ body: [UInt8]) -> HubAnswer {
        guard let next = try? JSONDecoder().decode(Next.self, from: Data(body)) else {
            return HubAnswer(status: 400, body: [])
        }
        return answer(mail[next.next_by_subj]?.first { $0.sequence >= next.seq }, next.next_by_subj)
    }

    private func answer(_ found: Mail?, _ subject: String) -> HubAnswer {
        guard let found, keepsMail else { return HubAnswer(status: 404, body: []) }
        return HubAnswer(
            subject: subject,
            sequence: found.sequence,
            storedAt: found.storedAt.formatted(.iso8601),
            body: found.body
        )
    }
}
