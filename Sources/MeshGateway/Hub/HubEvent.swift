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
}

/// The answer to one question.
package struct HubAnswer: Sendable {
    /// The status that the server gave in place of data, such as 404 or 503.
    let status: Int?
    /// The time at which the hub stored a message, as the hub wrote it; nil in other answers.
    let storedAt: String?
    /// The data.
    let body: [UInt8]

    /// Returns whether nobody at the hub answers such questions, or this login may not ask them.
    var isUnanswered: Bool { status == 503 }
}

/// A message for a hub.
package enum HubRequest: Sendable {
    /// Receives from now on what is published under the subject.
    case subscribe(String)
    /// Publishes a message, whose answer has this number.
    case publish(subject: String, body: [UInt8], id: String?, number: UInt64)
}
