/// An error in an answer: the specification's codes, and those of Earshot from -32001 on.
package struct RPCError: Error, Hashable, Sendable, Codable {
    /// The details for programs, in addition to the number.
    package struct Details: Hashable, Sendable, Codable {
        /// The error's name.
        package var code: String
        /// The peers that a name matches, for `ambiguous`.
        package var candidates: [String]?
        /// The trust state that caused the refusal, for `refusedByTrust`.
        package var state: String?
        /// The limit that was exceeded, for `tooLarge`.
        ///
        /// Units: bytes.
        package var limit: Int?
        /// The time until a retry can succeed, for `limited` if it is known.
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

    /// The number; a newer node may send a number that `Code` does not contain.
    package let code: Int
    /// One sentence for the user.
    package let message: String
    /// The name of the error and its details.
    package var data: Details?

    /// Makes an error of a known kind.
    package init(_ code: Code, _ message: String) {
        self.code = code.rawValue
        self.message = message
        self.data = Details(code: code.name)
    }

    /// The kind of the error; nil if this version does not know it.
    package var kind: Code? { Code(rawValue: code) }
}
