/// A reason why a mesh node cannot start.
///
/// A running node throws no error: sockets that fail are opened again until the node stops.
public struct MeshTransportError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of failure; the caller can act on each of them.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let description: String

        /// The node was started before; a node runs once, because its node id is made for one run.
        public static let alreadyStarted = Code(description: "alreadyStarted")
        /// The configuration names a network interface that the system does not have.
        public static let noSuchInterface = Code(description: "noSuchInterface")
        /// The name of a static peer has no address, or its address needs a zone.
        public static let unresolvedPeer = Code(description: "unresolvedPeer")
        /// The configured port, or that of a carrier, is taken, forbidden, or a discovery group's own.
        public static let portUnavailable = Code(description: "portUnavailable")
        /// The text of a carrier is none, or there are too many carriers.
        public static let invalidCarrier = Code(description: "invalidCarrier")
        /// The file of the store cannot be read or written, or is something else.
        public static let storeUnusable = Code(description: "storeUnusable")
    }

    /// The kind of failure.
    public let code: Code
    /// The exact failure, for people.
    public let reason: String
    /// The system's error behind it, if there is one.
    public let cause: (any Error)?

    package init(_ code: Code, reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.cause = cause
    }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }

    /// Errors of the same code are equal.
    public static func == (left: MeshTransportError, right: MeshTransportError) -> Bool {
        left.code == right.code
    }
}
