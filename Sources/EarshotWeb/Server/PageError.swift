import Foundation
import NIOHTTP1

/// The reason why a request is refused, in the form of JSON-RPC's errors.
struct PageError: Error, Hashable, Sendable {
    let status: HTTPResponseStatus
    /// The name of the error for programs.
    let name: String
    /// One sentence for the user.
    let message: String

    init(_ status: HTTPResponseStatus, _ name: String, _ message: String) {
        self.status = status
        self.name = name
        self.message = message
    }

    /// The error as JSON for the client.
    var json: [UInt8] {
        let error = Body.Failure(code: code, message: message, data: .init(code: name))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(Body(error: error))).map(Array.init) ?? []
    }

    /// The JSON-RPC number of the error.
    private var code: Int {
        switch name {
        case "notFound": -32_001
        case "tooLarge": -32_005
        case "limited": -32_009
        case "invalidParams": -32_602
        default: -32_600
        }
    }

    private struct Body: Encodable {
        struct Failure: Encodable {
            struct Details: Encodable {
                let code: String
            }

            let code: Int
            let message: String
            let data: Details
        }

        let error: Failure
    }

    static let notFound = PageError(.notFound, "notFound", "Nothing was found at this address.")
    static let noSession = PageError(.unauthorized, "noSession", "Open the page again: run `earshot web`.")
    static let cutOff = PageError(.badRequest, "invalidRequest", "The body of the request is incomplete.")

    /// Makes the error for a body that exceeds its limit.
    static func tooLarge(_ limit: Int) -> PageError {
        PageError(.payloadTooLarge, "tooLarge", "At most \(limit) bytes are allowed here.")
    }
}
