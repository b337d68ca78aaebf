import Foundation

/// A writer of lines and messages for a NATS server.
package struct NATSEncoder {
    /// The login and the settings of a connection.
    private struct Settings: Encodable {
        let verbose = false
        let pedantic = false
        let tls_required: Bool
        let user: String?
        let pass: String?
        let name = "earshot"
        let lang = "swift"
        let version = "1"
        let `protocol` = 1
        let echo = true
        let headers = true
        let no_responders = true
    }

    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Takes the bytes so far.
    package mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Writes the login of a hub.
    package mutating func connect(to hub: HubURL, isSecure: Bool) {
        let password = hub.user.map { _ in hub.password ?? "" }
        let settings = Settings(tls_required: isSecure, user: hub.user, pass: password)
        add("CONNECT ")
        bytes += (try? JSONEncoder().encode(settings)) ?? Data()
        endLine()
    }

    /// Writes a message.
    ///
    /// - Parameters:
    ///   - answer: The subject of the answer.
    ///   - id: The id by which a store knows the message again.
    package mutating func publish(_ body: [UInt8], to subject: String, answer: String, id: String?) {
        let headers = id.map { "NATS/1.0\r\nNats-Msg-Id: \($0)\r\n\r\n" } ?? ""
        let count = headers.utf8.count
        add(id == nil ? "PUB \(subject) \(answer) " : "HPUB \(subject) \(answer) \(count) ")
        add("\(count + body.count)\r\n")
        add(headers)
        bytes += body
        endLine()
    }

    /// Writes a subscription.
    package mutating func subscribe(to subject: String, number: Int) { add("SUB \(subject) \(number)\r\n") }

    /// Writes the end of a subscription.
    package mutating func unsubscribe(_ number: Int) { add("UNSUB \(number)\r\n") }

    /// Writes a question for a sign of life.
    package mutating func ping() { add("PING\r\n") }

    /// Writes a sign of life.
    package mutating func pong() { add("PONG\r\n") }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    private mutating func endLine() { add("\r\n") }
}
