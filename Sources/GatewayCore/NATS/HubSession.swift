import Foundation

/// The state of one connection to a hub: a pure value, which takes what the hub says and returns what follows from it.
package struct HubSession {
    /// An effect of what the hub said.
    package enum Effect {
        /// TLS must begin; nothing may be sent before it stands.
        case secure
        /// These bytes must be sent.
        case send([UInt8])
        /// The hub has let this program in.
        case opened(HubRole)
        /// The hub has answered a sign of life.
        case alive
        /// The reader of the hub's messages gets this.
        case event(HubEvent)
    }

    private enum State {
        /// The hub has yet to describe itself.
        case greeting
        /// TLS has begun.
        case securing
        /// The login has been sent.
        case entering
        case open
    }

    private let hub: HubURL
    /// The subject of all answers, up to their number.
    private let answers: String
    private var state = State.greeting
    private var subscriptions = HubSubscriptions(from: Self.answerNumber + 1)
    /// Units: bytes of the largest message that the hub takes.
    private var payloadByteCount = HubLimits.messageByteCount
    private var role = HubRole.part

    /// The number of the subscription to answers.
    private static let answerNumber = 1

    /// - Parameter random: The source of the subject of answers, which others must not guess.
    package init(with hub: HubURL, using random: inout some RandomNumberGenerator) {
        self.hub = hub
        let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        let name = (0..<22).map { _ in characters[Int.random(in: characters.indices, using: &random)] }
        answers = "_INBOX.\(String(name))."
    }

    /// Whether the hub has let this program in.
    package var isOpen: Bool { state == .open }

    /// Takes what the hub said.
    ///
    /// - Throws: The reason why the hub cannot be used.
    package mutating func take(_ operation: NATSOperation) throws(HubError) -> Effect? {
        switch (state, operation) {
        case (.greeting, .info(let info)): return try begin(with: info)
        // Bytes in clear behind the greeting could be put there by others.
        case (.securing, _): throw .violation(hub)
        case (.entering, .pong):
            state = .open
            return .opened(role)
        case (.greeting, .error(let words)), (.entering, .error(let words)):
            if let error = refusal(words) { throw error }
            return nil
        case (.open, .pong): return .alive
        case (.open, .message(let message)): return event(of: message).map { .event($0) }
        case (.entering, .ping), (.open, .ping):
            var encoder = NATSEncoder()
            encoder.pong()
            return .send(encoder.bytes)
        // A refused permission shows as a missing answer; after all other errors the hub ends the connection.
        case (.open, .error), (.entering, .info), (.open, .info), (.entering, .ok), (.open, .ok): return nil
        case (.greeting, _), (.entering, .message): throw .violation(hub)
        }
    }

    /// Returns the login, once TLS stands.
    package mutating func enter() -> [UInt8] { enter(isSecure: true) }

    /// Writes a request for the hub; one that it cannot take is left out.
    ///
    /// - Parameter first: The number of the question 0.
    package mutating func write(_ request: HubRequest, from first: UInt64, to encoder: inout NATSEncoder) {
        guard NATSSubject.isValid(request.subject.utf8) else { return }
        switch request {
        case .subscribe(let subject):
            if let number = subscriptions.add(subject) { encoder.subscribe(to: subject, number: number) }
        case .unsubscribe(let subject):
            if let number = subscriptions.remove(subject) { encoder.unsubscribe(number) }
        case .publish(let subject, let body, let id, let number):
            // The headers of an id take fewer bytes than these.
            let room = body.count + (id.map { $0.utf8.count + 64 } ?? 0)
            guard room <= payloadByteCount, id.map({ NATSSubject.isValid($0.utf8) }) ?? true else { return }
            encoder.publish(body, to: subject, answer: answers + String(first &+ number), id: id)
        }
    }

    // MARK: - Details

    private mutating func begin(with info: NATSInfo) throws(HubError) -> Effect {
        let needsTLS = info.needsTLS == true
        guard !hub.isSecure || needsTLS || info.offersTLS == true else { throw .clear(hub) }
        guard info.hasHeaders == true else { throw .refused(hub, "its NATS server is too old and has no headers") }
        role = info.role
        payloadByteCount = min(info.payloadByteCount ?? payloadByteCount, payloadByteCount)
        guard hub.isSecure || needsTLS else { return .send(enter(isSecure: false)) }
        state = .securing
        return .secure
    }

    private mutating func enter(isSecure: Bool) -> [UInt8] {
        state = .entering
        var encoder = NATSEncoder()
        encoder.connect(to: hub, isSecure: isSecure)
        encoder.subscribe(to: answers + "*", number: Self.answerNumber)
        encoder.ping()
        return encoder.bytes
    }

    /// Returns the failure that the hub's words stand for; nil for none.
    private func refusal(_ words: String) -> HubError? {
        let text = words.lowercased()
        if text.contains("permissions violation") { return nil }
        let logins = ["authorization violation", "authentication expired", "authentication revoked"]
        if logins.contains(where: text.contains) { return .login(hub) }
        return .unreachable(hub, HubText.shown(words.trimmingCharacters(in: ["'", " "])))
    }

    private func event(of message: NATSMessage) -> HubEvent? {
        guard message.subscription == Self.answerNumber else {
            guard subscriptions.subject(of: message.subscription) == message.subject else { return nil }
            return .mail(subject: message.subject, body: message.body)
        }
        guard message.subject.hasPrefix(answers), let number = UInt64(message.subject.dropFirst(answers.count)) else {
            return nil
        }
        let headers = message.headers
        let answer = HubAnswer(
            status: headers.status,
            subject: headers.subject,
            sequence: headers.sequence,
            storedAt: headers.storedAt,
            body: message.body
        )
        return .answer(number, answer)
    }
}
