/// A reason why a hub cannot be used, in sentences for people.
package struct HubError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of failure, by their machine-readable names.
    package enum Code: String, Sendable, CaseIterable {
        /// The text is no address of a hub.
        case url = "hubURL"
        /// Others could read the connection.
        case clearText = "hubClearText"
        /// The name is not known.
        case name = "hubName"
        /// The text is no address of a proxy.
        case proxyURL = "hubProxyURL"
        /// The proxy does not answer, or does not reach the server.
        case proxy = "hubProxy"
        /// The server does not answer.
        case unreachable = "hubUnreachable"
        /// The server offers no TLS.
        case clear = "hubClear"
        /// The certificate belongs to another name, or nobody trusts it.
        case certificate = "hubCertificate"
        /// The file of certificates cannot be read.
        case authorities = "hubAuthorities"
        /// The login is wrong, or missing.
        case login = "hubLogin"
        /// The server keeps no mail.
        case noStore = "hubNoStore"
        /// The server is full.
        case full = "hubFull"
        /// The clocks differ too much.
        case clock = "hubClock"
        /// The login may not make a store.
        case notOperator = "hubNotOperator"
        /// The server has less room than was asked for.
        case noRoom = "hubNoRoom"
        /// The server refused for another reason.
        case refused = "hubRefused"
        /// A change of the store would delete mail.
        case wouldDelete = "hubWouldDelete"
        /// TLS cannot be set up on this machine.
        case noLibrary = "hubNoLibrary"
        /// The connection ended.
        case lost = "hubLost"
    }

    /// The kind of failure.
    package let code: Code
    /// The state, in one or two sentences.
    package let what: String
    /// The effect, in one sentence.
    package let why: String
    /// The remedy.
    package let mend: String

    /// The state and the remedy.
    package var description: String { "\(what) \(mend)" }

    private init(_ code: Code, _ what: String, why: String = "", mend: String) {
        self.code = code
        self.what = what
        self.why = why
        self.mend = mend
    }

    /// Failures of the same code are equal.
    package static func == (left: HubError, right: HubError) -> Bool { left.code == right.code }
}

extension HubError {
    package static let url = HubError(
        .url,
        "This is no address of a hub.",
        mend: "Give one such as tls://hub.example.org or tls://USER:PASSWORD@hub.example.org:4222."
    )

    package static func clearText(_ host: String) -> HubError {
        HubError(
            .clearText,
            "nats://\(host) is not encrypted, and \(host) is not in a private network.",
            why: "Others on the way could read the login, and see and change what is sent.",
            mend: "Use tls://\(host), the numeric address in a private network, or --hub-insecure."
        )
    }

    package static func name(_ hub: HubURL) -> HubError {
        HubError(
            .name,
            "\(hub.host) is not known to DNS.",
            why: "A hub without an address cannot be reached.",
            mend: "Check the spelling, or this machine's internet."
        )
    }

    package static func unreachable(_ hub: HubURL, _ reason: String) -> HubError {
        HubError(
            .unreachable,
            "\(hub.endpoint) does not answer: \(reason).",
            why: "No mail goes through this hub.",
            mend: "Is the server running, is TCP \(hub.port) open?"
        )
    }

    package static let proxyURL = HubError(
        .proxyURL,
        "This is no address of a proxy.",
        mend:
            "Give one of this machine, or of a private network by its number: socks5://127.0.0.1:9050; or none."
    )

    package static func proxy(_ proxy: HubProxy, _ reason: String) -> HubError {
        HubError(
            .proxy,
            "The proxy \(proxy) \(reason). Nothing was sent.",
            why: "No hub is reached around the proxy.",
            mend: "Is the proxy running? Is Tor, if it is that of Tor?"
        )
    }

    /// The server, or the proxy before it, ended a connection that was not open yet.
    package static func ended(_ hub: HubURL) -> HubError {
        hub.proxy.map { .proxy($0, "ended the connection to \(hub.endpoint)") } ?? .unreachable(hub, HubText.ended)
    }

    package static func onion(_ hub: HubURL) -> HubError {
        HubError(
            .proxyURL,
            "\(hub.host) is an onion service, and only Tor knows the way to it. Nothing was sent.",
            why: "A question for the name would show it to others.",
            mend: "Give Tor's proxy: --hub-proxy socks5://127.0.0.1:9050."
        )
    }

    package static func clear(_ hub: HubURL) -> HubError {
        HubError(
            .clear,
            "\(hub) offers no TLS. Nothing was sent.",
            why: "Somebody on the way may be removing it.",
            mend: "Ask its operator whether it has TLS. Only a hub in a private network may do without: nats://."
        )
    }

    package static func certificate(_ hub: HubURL, _ reason: String) -> HubError {
        HubError(
            .certificate,
            "The certificate of \(hub) is not valid for it: \(reason). Nothing was sent.",
            why: "Somebody on the way may be answering in its place.",
            mend: "If the hub is yours, give --hub-ca FILE."
        )
    }

    package static func authorities(_ file: String) -> HubError {
        HubError(
            .authorities,
            "\(file) cannot be read as certificates.",
            why: "Without them no hub can prove who it is.",
            mend: "Give --hub-ca a file in PEM form."
        )
    }

    package static func login(_ hub: HubURL) -> HubError {
        HubError(
            .login,
            "\(hub) refused the login.",
            why: "Only people with its login can use it.",
            mend: "Ask its operator for user and password, then name the user: \(hub.text(login: "USER"))."
        )
    }

    package static func noStore(_ hub: HubURL) -> HubError {
        HubError(
            .noStore,
            "\(hub) runs NATS but keeps no mail.",
            why: "Mail for people who are away would be lost.",
            mend: "Its operator runs: earshot hub create \(hub.text(login: "admin")). A city's server needs its hub."
        )
    }

    package static func full(_ hub: HubURL) -> HubError {
        HubError(
            .full,
            "\(hub) is full and takes no mail.",
            why: "Messages wait here and are tried again.",
            mend: "Its operator gives it more room: earshot hub create --size SIZE \(hub.text(login: "admin"))"
        )
    }

    package static func clock(_ hub: HubURL, hours: Int) -> HubError {
        HubError(
            .clock,
            "The clocks of this machine and of \(hub) differ by \(hours) h.",
            why: "Mailboxes change daily.",
            mend: "Set the clock."
        )
    }

    package static func notOperator(_ hub: HubURL) -> HubError {
        HubError(
            .notOperator,
            "\(hub) does not let this login make a store, or it runs without JetStream.",
            why: "Only its operator may.",
            mend: "Give the operator's login: \(hub.text(login: "admin"))"
        )
    }

    package static func noRoom(_ hub: HubURL, _ byteCount: Int64) -> HubError {
        HubError(
            .noRoom,
            "\(hub) has no room for \(byteCount) bytes of mail.",
            why: "Its configuration allows it less: max_file.",
            mend: "Raise max_file, or give --size; 90 % of max_file is a good one."
        )
    }

    package static func refused(_ hub: HubURL, _ reason: String) -> HubError {
        HubError(
            .refused,
            "\(hub) refused: \(reason).",
            why: "It keeps what it had.",
            mend: "Its operator finds more in the server's log."
        )
    }

    package static func wouldDelete(_ hub: HubURL, byteCount: Int64, days: Int64) -> HubError {
        HubError(
            .wouldDelete,
            "\(hub) holds \(byteCount) bytes of mail for up to \(days) days, and a smaller store would delete mail.",
            why: "Mail that nobody has fetched would be lost.",
            mend: "Give at least as much room and time, or --shrink."
        )
    }

    package static let noTLS = HubError(
        .noLibrary,
        "TLS cannot be set up on this machine. Nothing was sent.",
        why: "What is sent could be read and changed on the way.",
        mend: "Install the certificates of the system: ca-certificates on Debian."
    )

    package static func violation(_ hub: HubURL) -> HubError {
        HubError(
            .unreachable,
            "\(hub) sends what no NATS server sends. It was left.",
            why: "No mail goes through this hub.",
            mend: "Is the address that of a NATS server? Its operator finds more in the server's log."
        )
    }

    package static func lost(_ hub: HubURL) -> HubError {
        HubError(
            .lost,
            "\(hub) ended the connection.",
            why: "The server may be stopping, or busy.",
            mend: "Try again in a moment."
        )
    }
}
