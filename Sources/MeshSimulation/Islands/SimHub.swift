import Foundation
import GatewayCore
import MeshCore

/// A hub as a plain value: a model of a NATS server with JetStream.
///
/// It keeps mail by subject in order, confirms it with a number, knows mail that came twice by the id in its header,
/// passes it on to subscriptions, and answers questions for the last and the next mail of a subject. Source: PROTOCOL
/// §20.
struct SimHub: Sendable {
    /// A message for a gateway.
    typealias Message = (gateway: Int, event: HubEvent)

    /// One stored message.
    struct Mail: Sendable {
        let sequence: UInt64
        let body: [UInt8]
        let storedAt: Date
    }

    /// The publication of one message.
    struct Publication: Sendable {
        let id: String
        let body: [UInt8]
        /// Whether the hub had it already.
        let isDuplicate: Bool
        /// Whether the hub had confirmed it before it was gone.
        ///
        /// Gateways then publish again what was confirmed shortly before, since hubs lose what they have confirmed.
        let isRepeated: Bool
    }

    /// Whether the hub runs.
    private(set) var isUp = true
    /// The publications of messages with an id, in order.
    private(set) var publications: [Publication] = []
    private var mail: [String: [Mail]] = [:]
    /// The subjects to which each connected gateway has subscribed.
    private var subscriptions: [Int: Set<String>] = [:]
    private var ids: [String: (sequence: UInt64, time: Date)] = [:]
    /// The ids that the hub has confirmed since it started, and those of before.
    private var (confirmed, oldConfirmed): (Set<String>, Set<String>) = ([], [])
    private var lastSequence: UInt64 = 0

    /// All mail that it keeps.
    var keptMail: [Mail] { mail.values.flatMap(\.self).sorted { $0.sequence < $1.sequence } }

    // MARK: - Connections

    /// Lets a gateway connect; returns false if the hub does not run.
    mutating func connect(_ gateway: Int) -> Bool {
        if isUp { subscriptions[gateway] = [] }
        return isUp
    }

    /// Ends the connection of a gateway.
    mutating func disconnect(_ gateway: Int) { subscriptions[gateway] = nil }

    /// Stops the hub, which ends all connections.
    mutating func stop() {
        (isUp, subscriptions) = (false, [:])
        oldConfirmed.formUnion(confirmed)
    }

    /// Starts the hub again.
    mutating func start(losesMail: Bool) {
        isUp = true
        if losesMail { (mail, ids, lastSequence) = ([:], [:], 0) }
    }

    // MARK: - Requests

    /// Takes a request of a connected gateway, and returns the messages that follow from it.
    mutating func take(_ request: HubRequest, from gateway: Int, date: Date) -> [Message] {
        guard subscriptions[gateway] != nil else { return [] }
        switch request {
        case .subscribe(let subject): subscriptions[gateway, default: []].insert(subject)
        case .unsubscribe(let subject): subscriptions[gateway]?.remove(subject)
        case .publish("next", let body, _, let number): return [(gateway, .answer(number, next(body)))]
        case .publish(let subject, _, _, let number) where subject.hasPrefix(Self.lastPrefix):
            let asked = Self.mailPrefix + subject.dropFirst(Self.lastPrefix.count)
            return [(gateway, .answer(number, Self.answer(mail[asked]?.last, asked)))]
        case .publish(let subject, let body, let id, let number):
            guard subject.hasPrefix(Self.mailPrefix) else { return [] }
            let live = subscriptions.filter { $0.value.contains(subject) }.keys.sorted()
            let acknowledgement = keep(body, subject: subject, id: id, date: date)
            return live.map { ($0, .mail(subject: subject, body: body)) }
                + [(gateway, .answer(number, HubAnswer(body: Array(acknowledgement.utf8))))]
        }
        return []
    }

    /// Keeps a message, and returns the confirmation.
    private mutating func keep(_ body: [UInt8], subject: String, id: String?, date: Date) -> String {
        let old = id.flatMap { ids[$0] }.flatMap { date < $0.time + Self.duplicateWindow ? $0.sequence : nil }
        if let id {
            let isRepeated = oldConfirmed.contains(id)
            publications.append(Publication(id: id, body: body, isDuplicate: old != nil, isRepeated: isRepeated))
            confirmed.insert(id)
        }
        if let old { return #"{"stream":"MAIL","seq":\#(old),"duplicate":true}"# }
        lastSequence += 1
        mail[subject, default: []].append(Mail(sequence: lastSequence, body: body, storedAt: date))
        if let id { ids[id] = (lastSequence, date) }
        return #"{"stream":"MAIL","seq":\#(lastSequence)}"#
    }

    private struct Next: Decodable {
        let sequence: UInt64
        let subject: String

        private enum CodingKeys: String, CodingKey {
            case sequence = "seq"
            case subject = "next_by_subj"
        }
    }

    private func next(_ body: [UInt8]) -> HubAnswer {
        guard let next = try? JSONDecoder().decode(Next.self, from: Data(body)) else {
            return HubAnswer(status: 400, body: [])
        }
        return Self.answer(mail[next.subject]?.first { $0.sequence >= next.sequence }, next.subject)
    }

    private static func answer(_ found: Mail?, _ subject: String) -> HubAnswer {
        guard let found else { return HubAnswer(status: 404, body: []) }
        return HubAnswer(
            subject: subject,
            sequence: found.sequence,
            storedAt: found.storedAt.formatted(.iso8601),
            body: found.body
        )
    }

    private static let (mailPrefix, lastPrefix) = ("e.", "last.")
    /// The time in which mail with the same id is a duplicate.
    ///
    /// Units: seconds.
    private static let duplicateWindow = 300.0
}
