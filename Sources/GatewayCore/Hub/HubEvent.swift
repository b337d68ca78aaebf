/// A message of a hub, or the end of its connection.
package enum HubEvent: Sendable {
    /// An envelope under a subject that this connection has subscribed to.
    case mail(subject: String, body: [UInt8])
    /// The answer to the question with this number.
    case answer(UInt64, HubAnswer)
    /// The time of the job whose numbers begin with this one is over.
    case timeUp(UInt64)
    /// The connection has ended.
    case closed

    /// Units: bytes that it takes on its way, about.
    var byteCount: Int {
        switch self {
        case .mail(_, let body): Self.headByteCount + body.count
        case .answer(_, let answer): Self.headByteCount + answer.body.count
        case .timeUp, .closed: 0
        }
    }

    private static let headByteCount = 160
}

/// The answer to one question.
package struct HubAnswer: Sendable {
    /// The status that the server gave in place of data, such as 404 or 503.
    package let status: Int?
    /// The subject under which the hub keeps a message; nil in other answers.
    package let subject: String?
    /// The number that the hub gave a message; nil in other answers.
    package let sequence: UInt64?
    /// The time at which the hub stored a message, as the hub wrote it; nil in other answers.
    package let storedAt: String?
    /// The data.
    package let body: [UInt8]

    package init(
        status: Int? = nil,
        subject: String? = nil,
        sequence: UInt64? = nil,
        storedAt: String? = nil,
        body: [UInt8]
    ) {
        self.status = status
        self.subject = subject
        self.sequence = sequence
        self.storedAt = storedAt
        self.body = body
    }

    /// Returns whether nobody at the hub answers such questions, or this login may not ask them.
    package var isUnanswered: Bool { status == 503 }
}

/// A message for a hub.
package enum HubRequest: Sendable {
    /// Receives from now on what is published under the subject.
    case subscribe(String)
    /// Receives no more of what is published under the subject.
    case unsubscribe(String)
    /// Publishes a message, whose answer has this number.
    case publish(subject: String, body: [UInt8], id: String?, number: UInt64)

    /// The subject.
    package var subject: String {
        switch self {
        case .subscribe(let subject), .unsubscribe(let subject), .publish(let subject, _, _, _): subject
        }
    }

    /// Units: bytes that the request takes at most on its way to the hub.
    package var byteCount: Int {
        let most = 128 + subject.utf8.count
        guard case .publish(_, let body, let id, _) = self else { return most }
        return most + 64 + (id?.utf8.count ?? 0) + body.count
    }
}
