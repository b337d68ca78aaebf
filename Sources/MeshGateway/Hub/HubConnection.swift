import CNATS
import Foundation

/// A connection to a hub, by the NATS library.
///
/// It never reconnects by itself: the answers that were under way are lost then, and its owner must ask again. The
/// library's threads put what arrives into `inbox`; all calls into it come from this actor, on a thread of its own.
package actor HubConnection {
    /// The hub.
    package nonisolated let hub: HubURL
    nonisolated let inbox = HubInbox()
    private nonisolated let executor = HubExecutor()
    private let authorities: String?
    private let patience: Duration
    private var connection: OpaquePointer?
    private var subscriptions: [String: OpaquePointer] = [:]
    /// The subject of all answers, up to their number.
    private var answers = ""
    /// The number of the next question.
    private var nextNumber: UInt64 = 1

    /// The thread of the calls.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Prepares a connection.
    ///
    /// - Parameters:
    ///   - authorities: A file in PEM form with certificates from which the hub's may descend, besides those of the
    ///     system.
    ///   - patience: The time that the hub may take to let this program in.
    package init(to hub: HubURL, authorities: String? = nil, patience: Duration? = nil) {
        self.hub = hub
        self.authorities = authorities
        self.patience = patience ?? HubLimits.connectTime
    }

    isolated deinit { close() }

    /// Connects, and closes an earlier connection.
    ///
    /// - Throws: The reason, with what to do about it.
    package func open() async throws(HubError) {
        close()
        let outcome = await HubAttempt().outcome(of: try makeOptions(), within: patience)
        guard outcome.status == NATS_OK else { throw await failure(outcome.status, outcome.reason) }
        // Another call may have connected meanwhile.
        close()
        connection = OpaquePointer(bitPattern: outcome.connection)
        inbox.follow(outcome.connection)
        // The end may have come before anybody listened.
        if natsConnection_IsClosed(connection) { inbox.add(.closed, of: outcome.connection) }
        guard subscribeToAnswers() == NATS_OK else { throw .lost(hub) }
    }

    /// Ends the connection; later messages of it are dropped.
    package func close() {
        inbox.follow(0)
        subscriptions.values.forEach { natsSubscription_Destroy($0) }
        subscriptions = [:]
        natsConnection_Destroy(connection)
        connection = nil
    }

    /// Reserves numbers for the questions of one job, so that late answers to others are not taken for its own.
    func reserveNumbers() -> UInt64 {
        defer { nextNumber += HubLimits.questionCount }
        return nextNumber
    }

    /// Sends messages; what cannot be sent shows in a missing answer.
    ///
    /// - Parameter first: The number of the question 0.
    func send(_ requests: [HubRequest], from first: UInt64) {
        for request in requests {
            switch request {
            case .subscribe(let subject): subscribe(to: subject)
            case .publish(let subject, let body, let id, let number):
                publish(body, to: subject, id: id, answer: first + number)
            }
        }
    }

    // MARK: - Details

    private func makeOptions() throws(HubError) -> OpaquePointer {
        var made: OpaquePointer?
        guard natsOptions_Create(&made) == NATS_OK, let options = made else { throw .noLibrary }
        do throws(HubError) {
            try set(options)
        } catch {
            natsOptions_Destroy(options)
            throw error
        }
        return options
    }

    private func set(_ options: OpaquePointer) throws(HubError) {
        var statuses = [natsOptions_SetURL(options, hub.text), natsOptions_SetName(options, "earshot")]
        if let user = hub.user.map(HubText.quoted) {
            statuses.append(natsOptions_SetUserInfo(options, user, HubText.quoted(hub.password ?? "")))
        }
        if hub.isSecure {
            // Without this the library goes on in clear with a server that offers no TLS, and sends the password.
            statuses.append(natsOptions_SetSecure(options, true))
            statuses.append(natsOptions_SetExpectedHostname(options, hub.host))
        }
        if let authorities, natsOptions_LoadCATrustedCertificates(options, authorities) != NATS_OK {
            throw .authorities(authorities)
        }
        statuses += [
            natsOptions_SetAllowReconnect(options, false),
            natsOptions_SetIgnoreDiscoveredServers(options, true),
            natsOptions_UseGlobalMessageDelivery(options, true),
            natsOptions_SetTimeout(options, Int64(patience / .milliseconds(1))),
            natsOptions_SetWriteDeadline(options, HubLimits.writeMilliseconds),
            natsOptions_SetPingInterval(options, HubLimits.pingMilliseconds),
            natsOptions_SetMaxPingsOut(options, 2),
            natsOptions_SetMaxPendingMsgs(options, Int32(HubLimits.waitingCount)),
            natsOptions_SetClosedCB(options, noteEnd, closure),
            // Its default writes to standard error.
            natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil),
        ]
        // A library without TLS would else go on in clear.
        guard statuses.allSatisfy({ $0 == NATS_OK }) else { throw .noLibrary }
    }

    private func subscribeToAnswers() -> natsStatus {
        var subject: UnsafeMutablePointer<CChar>?
        let status = natsInbox_Create(&subject)
        guard status == NATS_OK, let subject else { return status }
        defer { natsInbox_Destroy(subject) }
        answers = String(cString: subject) + "."
        return subscribe(to: answers + "*")
    }

    @discardableResult
    private func subscribe(to subject: String) -> natsStatus {
        guard let connection, subscriptions[subject] == nil else { return NATS_OK }
        var subscription: OpaquePointer?
        let status = natsConnection_Subscribe(&subscription, connection, subject, noteMessage, closure)
        if let subscription { subscriptions[subject] = subscription }
        return status
    }

    private func publish(_ body: [UInt8], to subject: String, id: String?, answer: UInt64) {
        guard let connection else { return }
        var message: OpaquePointer?
        let data = body.map { CChar(bitPattern: $0) }
        let status = natsMsg_Create(&message, subject, answers + String(answer), data, Int32(data.count))
        guard status == NATS_OK, let message else { return }
        defer { natsMsg_Destroy(message) }
        if let id { natsMsgHeader_Set(message, "Nats-Msg-Id", id) }
        natsConnection_PublishMsg(connection, message)
    }

    /// The library's threads call with this until the process ends, so it is never released.
    private lazy var closure = Unmanaged.passRetained(inbox).toOpaque()

    private func failure(_ status: natsStatus, _ reason: String) async -> HubError {
        switch status {
        case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED: .login(hub)
        case NATS_SECURE_CONNECTION_WANTED: .clear(hub)
        case NATS_SSL_ERROR: .certificate(hub, Self.certificateReason(reason))
        case NATS_TIMEOUT: .unreachable(hub, HubText.silence)
        // The library does not say why.
        default: await HubProbe.reason(hub, HubText.shown(reason))
        }
    }

    /// Takes the short reason out of the library's text: `SSL handshake error: 18:self-signed certificate:depth=0:…`.
    private static func certificateReason(_ text: String) -> String {
        let parts = text.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let place = parts.firstIndex(where: { $0.hasSuffix("handshake error") }), place + 2 < parts.count else {
            return HubText.shown(text)
        }
        return HubText.shown(parts[place + 2])
    }
}

// MARK: - Calls of the library's threads

private func noteEnd(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
    inbox(closure)?.add(.closed, of: UInt(bitPattern: connection))
}

private func noteMessage(
    _ connection: OpaquePointer?,
    _ subscription: OpaquePointer?,
    _ message: OpaquePointer?,
    _ closure: UnsafeMutableRawPointer?
) {
    defer { natsMsg_Destroy(message) }
    guard let message, let inbox = inbox(closure), let name = natsMsg_GetSubject(message) else { return }
    let subject = String(cString: name)
    let count = Int(max(0, natsMsg_GetDataLength(message)))
    let body = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: count)
    guard count <= HubLimits.messageByteCount else { return }
    guard subject.hasPrefix("_INBOX.") else {
        return inbox.add(.mail(subject: subject, body: [UInt8](body)), of: UInt(bitPattern: connection))
    }
    guard let number = subject.split(separator: ".").last.flatMap({ UInt64($0) }) else { return }
    let answer = HubAnswer(
        status: field("Status", of: message).flatMap { Int($0) },
        storedAt: field("Nats-Time-Stamp", of: message),
        body: [UInt8](body)
    )
    inbox.add(.answer(number, answer), of: UInt(bitPattern: connection))
}

private func field(_ name: String, of message: OpaquePointer) -> String? {
    var value: UnsafePointer<CChar>?
    guard natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else { return nil }
    return HubText.shown(String(cString: value))
}

private func inbox(_ closure: UnsafeMutableRawPointer?) -> HubInbox? {
    closure.map { Unmanaged<HubInbox>.fromOpaque($0).takeUnretainedValue() }
}
