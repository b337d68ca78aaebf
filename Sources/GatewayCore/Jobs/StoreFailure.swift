/// An error of JetStream in an answer.
struct StoreFailure: Decodable {
    /// The number of the error.
    let code: Int
    /// The hub's words.
    let text: String

    private enum CodingKeys: String, CodingKey {
        case code = "err_code"
        case text = "description"
    }
}
