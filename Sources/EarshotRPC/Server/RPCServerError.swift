/// Why a node's socket cannot be opened or reached, with what to do about it.
package struct RPCServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    package enum Code: Hashable, Sendable {
        /// The path is longer than the system takes for a socket.
        case pathTooLong
        /// Another process answers on the socket.
        case alreadyServed
        /// Something that is no socket has the socket's name.
        case notASocket
        /// Another user's process answers on the socket.
        case foreignUser
        /// Nobody answers on the socket.
        case nobodyThere
        /// The system refuses.
        case system
    }

    /// What kind of error it is.
    package let code: Code
    /// One sentence for a person.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
