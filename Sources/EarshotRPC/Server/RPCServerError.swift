/// An error of opening or reaching a node's socket, with advice.
package struct RPCServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package enum Code: Hashable, Sendable {
        /// The path is longer than the system allows for a socket.
        case pathTooLong
        /// Another process answers on the socket.
        case alreadyServed
        /// A file that is not a socket has the socket's name.
        case notASocket
        /// Another user's process answers on the socket.
        case foreignUser
        /// No process answers on the socket.
        case nobodyThere
        /// The system refuses the operation.
        case system
    }

    /// The kind of the error.
    package let code: Code
    /// One sentence for the user.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
