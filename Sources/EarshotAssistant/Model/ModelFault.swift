/// The reason why a model gave no answer, or an incomplete one.
public struct ModelFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Kind: Hashable, Sendable {
        /// Nothing listens at the endpoint.
        case unreachable
        /// The connection ended before the answer did.
        case connectionLost
        /// The answer took too long or did not come.
        case timedOut
        /// The server refuses with this HTTP status.
        case refused(status: Int)
        /// The server redirects to another address, which is not followed.
        case redirected
        /// The server's certificate is not trusted, or the server does not speak TLS.
        case insecure
        /// The server reports inside its stream that it has failed.
        case serverFailed
        /// The response is not the answer of a model.
        case malformed
        /// One event of the stream is above 1 MiB.
        case eventTooLarge
        /// The stream has more than 16 MiB without an end.
        case endless
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The message of the server or the system, for the operator of the assistant; never for a peer.
    public let detail: String

    /// Makes a fault.
    ///
    /// - Parameter detail: Any text; a long one is cut, and characters that must not be shown are left out.
    init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        let shown = detail.unicodeScalars.prefix(2_000).filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
            default: true
            }
        }
        self.detail = String(String(String.UnicodeScalarView(shown)).prefix(200))
    }

    /// The reply to a peer.
    var words: String {
        switch kind {
        case .unreachable: "The model cannot be reached at the moment. Ask again later."
        case .connectionLost: "The connection to the model broke. Ask again."
        case .timedOut: "The model took too long."
        case .refused(401), .refused(403): "The model does not accept my key. My operator has to fix that."
        case .refused(429), .refused(503): "The model is busy. Ask again later."
        case .refused(let status): "The model refused the question (status \(status))."
        case .redirected, .insecure: "The model is not at its address. My operator has to fix that."
        case .serverFailed: "The model failed. Ask again."
        case .malformed, .eventTooLarge: "The model sent an invalid answer. Ask again."
        case .endless: "The model did not finish its answer."
        }
    }

    /// The message for the operator of the assistant.
    public var description: String {
        let reason =
            switch kind {
            case .unreachable: "The model server does not answer"
            case .connectionLost: "The model server ended the connection before the end of its answer"
            case .timedOut: "The model server took too long"
            case .refused(401), .refused(403): "The model server does not accept the key: see --api-key-file"
            case .refused(404): "The model server has no model at this address: see --endpoint, which often ends in /v1"
            case .refused(let status): "The model server answers with status \(status)"
            case .redirected: "The model server redirects to another address: give that address by --endpoint"
            case .insecure:
                """
                The connection to the model server is not secure: the server needs a certificate that this system \
                trusts,
                """
                    + "or an endpoint of http"
            case .serverFailed: "The model server has failed"
            case .malformed: "The model server sends an invalid answer"
            case .eventTooLarge: "The model server sends an event above 1 MiB"
            case .endless: "The answer of the model server does not end"
            }
        return detail.isEmpty ? "\(reason)." : "\(reason): \(detail)"
    }
}
