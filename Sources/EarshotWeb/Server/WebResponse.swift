import ChatCrypto
import Earshot
import NIOHTTP1

/// What a request is answered with; the connection ends after it.
struct WebResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Bytes of a message's file.
        case media(MessageID, index: Int, Range<UInt64>)
        /// The history, as long as it turns out to be.
        case export(ExportOptions)
    }

    let status: HTTPResponseStatus
    private var headers: [(String, String)]
    let body: Body

    init(_ status: HTTPResponseStatus, _ headers: [(String, String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(_ error: PageError) {
        self.init(error.status, [("content-type", Self.json)], body: .bytes(error.json))
    }

    /// An answer that is JSON.
    static func json(_ json: [UInt8], _ status: HTTPResponseStatus = .ok) -> WebResponse {
        WebResponse(status, [("content-type", Self.json)], body: .bytes(json))
    }

    /// Units: bytes of the body; nil where they are not known beforehand.
    private var byteCount: UInt64? {
        switch body {
        case .bytes(let bytes): UInt64(bytes.count)
        case .media(_, _, let range): range.upperBound - range.lowerBound
        case .export: nil
        }
    }

    /// The status and all headers.
    var head: HTTPResponseHead {
        var fields = HTTPHeaders(Self.fixedHeaders + headers)
        // Source: RFC 9110, section 8.6: such answers have no body, so that they have no length either.
        if status != .noContent, let byteCount { fields.add(name: "content-length", value: "\(byteCount)") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    }

    /// An answer without a body as it goes over the wire, for where nothing writes answers.
    static func refusal(_ status: HTTPResponseStatus) -> String {
        let head = WebResponse(status).head
        let lines = head.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines)\r\n"
    }

    static let json = "application/json; charset=utf-8"

    /// What every answer has: the page is made of its own files alone, in no frame, and nothing of it is kept.
    static let fixedHeaders: [(String, String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; worker-src 'none'; style-src 'self'; img-src 'self' blob:; "
                + "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
                + "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "microphone=(self), camera=(), geolocation=(), display-capture=(), usb=(), serial=(), bluetooth=(), midi=()"
        ),
        ("cache-control", "no-store"), ("connection", "close"),
    ]
}
