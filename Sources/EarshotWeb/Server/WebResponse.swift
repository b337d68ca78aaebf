import ChatCrypto
import Earshot
import NIOHTTP1

/// The answer to a request; the connection ends after it.
struct WebResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Bytes of an attachment.
        case media(MessageID, index: Int, Range<UInt64>)
        /// The history, whose length is not known in advance.
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

    /// Makes an answer with JSON.
    static func json(_ json: [UInt8], _ status: HTTPResponseStatus = .ok) -> WebResponse {
        WebResponse(status, [("content-type", Self.json)], body: .bytes(json))
    }

    /// The length of the body; nil if it is not known in advance.
    ///
    /// Units: bytes.
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
        // Source: RFC 9110, section 8.6: such answers have no body and therefore no length.
        if status != .noContent, let byteCount { fields.add(name: "content-length", value: "\(byteCount)") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    }

    /// Makes the text of an answer without a body, for handlers without an encoder.
    static func refusal(_ status: HTTPResponseStatus) -> String {
        let head = WebResponse(status).head
        let lines = head.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(lines)\r\n"
    }

    static let json = "application/json; charset=utf-8"

    /// The headers of every answer: the page loads only its own files, appears in no frame, and is not cached.
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
