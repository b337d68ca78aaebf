/// Gives an address of the node's page that opens it once, and serves the page if it is not served yet.
package struct PageCall: RPCMethod {
    /// The method's name on the wire.
    package static let name = "page"
    /// The names of its parameters.
    package static let parameters = ["port"]
    /// The page of a locked node asks for the passphrase.
    package static let needsKeys = false

    /// The name of the error of a page that cannot be served.
    package static let noPage = "noPage"

    /// Where the page is.
    package struct Reply: Codable, Hashable, Sendable {
        /// The address, good for one browser.
        package let url: String

        /// Makes the answer.
        package init(url: String) { self.url = url }
    }

    /// The TCP port where it is not served yet; absent for any.
    package let port: UInt16?

    /// Makes the call.
    package init(port: UInt16? = nil) { self.port = port }

    /// Refuses it: the page is not the node's own, so what serves the node gives the address.
    package func perform(on node: any RPCNode) async throws(RPCError) -> Reply {
        var refusal = RPCError(.unavailable, "The page of this node cannot be served here.")
        refusal.data?.code = Self.noPage
        throw refusal
    }
}

/// Serves the page if it is not served yet, and makes an address that opens it once.
package typealias PageOpening = @Sendable (PageCall) async throws(RPCError) -> PageCall.Reply
