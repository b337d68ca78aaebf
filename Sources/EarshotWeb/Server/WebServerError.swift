/// The reason why the page cannot be served.
package struct WebServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for the user.
    package let description: String

    init(_ description: String) { self.description = description }

    /// The node is ending.
    package static let stopped = WebServerError("The page is no longer served: the node is ending.")
}
