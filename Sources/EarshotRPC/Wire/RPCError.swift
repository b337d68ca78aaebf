/// An error as it stands in an answer: the specification's codes, and Earshot's from -32001 on.
package struct RPCError: Error, Hashable, Sendable, Codable {
    /// The details that programs read besides the number.
    package struct Details: Hashable, Sendable, Codable {
        /// The error's name.
        package var code: String
        /// The peers a name fits, for `ambiguous`.
        package var candidates: [String]?
        /// The state of trust that refused, for `refusedByTrust`.
        package var state: String?
        /// Units: bytes allowed, for `tooLarge`.
        package var limit: Int?
        /// How long it will be so, for `limited` where that is known.
        ///
        /// Units: seconds.
        package var retryAfter: Double?
    }

    /// The kinds of error by number.
    package enum Code: Int, Sendable, CaseIterable {
        case parseError = -32700
        case invalidRequest = -32600
        case methodNotFound = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case notFound = -32001
        case ambiguous = -32002
        case refusedByTrust = -32003
        case locked = -32004
        case tooLarge = -32005
        case numberMismatch = -32006
        case notMember = -32007
        case expired = -32008
        case limited = -32009
        case unavailable = -32010

        /// The name that `data.code` carries.
        package var name: String {
            switch self {
            case .parseError: "parseError"
            case .invalidRequest: "invalidRequest"
            case .methodNotFound: "methodNotFound"
            case .invalidParameters: "invalidParams"
            case .internalError: "internalError"
            case .notFound: "notFound"
            case .ambiguous: "ambiguous"
            case .refusedByTrust: "refusedByTrust"
            case .locked: "locked"
            case .tooLarge: "tooLarge"
            case .numberMismatch: "numberMismatch"
            case .notMember: "notMember"
            case .expired: "expired"
            case .limited: "limited"
            case .unavailable: "unavailable"
            }
        }
    }

    /// The number; a newer node may send one that `Code` does not know.
    package let code: Int
    /// One sentence for a person.
    package let message: String
    /// The name, and what belongs to it.
    package var data: Details?

    /// Makes an error of a kind known here.
    package init(_ code: Code, _ message: String) {
        self.code = code.rawValue
        self.message = message
        self.data = Details(code: code.name)
    }

    /// The kind, where it is known here.
    package var kind: Code? { Code(rawValue: code) }
}
