import Foundation

/// A request to a model server.
struct ModelRequest: Sendable {
    /// The only address that is opened for it.
    let url: URL
    /// The headers, values by names; libcurl adds only the host and the length of the body.
    var headers: [String: String]
    /// The body of a POST; nil for a GET.
    var body: Data?
}
