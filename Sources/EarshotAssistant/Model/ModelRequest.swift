import Foundation

/// What a model server is asked.
struct ModelRequest: Sendable {
    /// The one address that is opened for it.
    let url: URL
    /// Values by names; beside them go only the host and the length of the body.
    var headers: [String: String]
    /// What is sent by POST; nil for a GET.
    var body: Data?
}
