import ChatCrypto
import Earshot
import Foundation
import NIOCore
import NIOHTTP1

typealias RequestChannel = NIOAsyncChannel<HTTPServerRequestPart, HTTPPart<HTTPResponseHead, ByteBuffer>>

/// One request and its answer.
struct WebExchange {
    let context: WebContext
    /// The number of the connection.
    let number: Int
    /// The port of the server.
    let port: Int
    let expectation: Expectation

    /// Answers the one request of a connection.
    func serve(_ channel: RequestChannel) async {
        // An error here is an error of the connection, so there is no client to report it to.
        try? await channel.executeThenClose { inbound, outbound in
            var body = RequestBody(inbound, expectation)
            guard let head = try await body.head() else { return }
            let response = await response(to: head, &body)
            try await outbound.write(.head(response.head))
            if head.method != .HEAD { try await send(response.body, outbound) }
            try await outbound.write(.end(nil))
            try await body.drain()
        }
    }

    private func send(
        _ body: WebResponse.Body,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPPart<HTTPResponseHead, ByteBuffer>>
    ) async throws {
        switch body {
        case .bytes(let bytes):
            if !bytes.isEmpty { try await outbound.write(.body(ByteBuffer(bytes: bytes))) }
        case .media(let message, let index, let range):
            let conversation = try await context.node.conversations.holding(message)
            var offset = range.lowerBound
            while offset < range.upperBound {
                let piece = offset..<min(range.upperBound, offset + WebLimits.pieceByteCount)
                let bytes = try await conversation.fileBytes(message, index: index, in: piece)
                // If the file is removed during the answer, the connection ends early, and the client notices.
                guard !bytes.isEmpty else { throw PageError.notFound }
                try await outbound.write(.body(ByteBuffer(bytes: bytes)))
                offset += UInt64(bytes.count)
            }
        case .export(let options):
            // If the export fails, the connection ends early, and the client notices.
            try await context.node.history.export(options) { bytes in
                try await outbound.write(.body(ByteBuffer(bytes: bytes)))
            }
        }
    }

    private func response(to head: HTTPRequestHead, _ body: inout RequestBody) async -> WebResponse {
        do {
            return try await answer(head, &body)
        } catch let error as PageError {
            return WebResponse(error)
        } catch let error as ChatError {
            return .json(context.page.json(of: error), error.status)
        } catch {
            return WebResponse(PageError.cutOff)
        }
    }

    /// Finds the number of the session that a request belongs to; nil for none.
    func session(of head: HTTPRequestHead) -> Int? {
        context.sessions.number(of: Cookie(port: port).secrets(in: head.headers))
    }

    /// Makes the guest that opens a WebSocket; nil if it has no session, or requests no proof of it.
    func guest(of head: HTTPRequestHead) -> SocketGuest? {
        guard let session = session(of: head), let proof = context.sessions.proof(of: session),
            let nonce = PageProof.nonce(in: head.uri)
        else { return nil }
        return SocketGuest(session: session, proof: SocketProof(proof, answering: nonce))
    }

    /// Whether a request comes from the tab that has the session's second secret; the cookie alone does not prove it.
    private func isOfTab(_ head: HTTPRequestHead, _ session: Int) -> Bool {
        let headers = head.headers[PageProof.header]
        guard headers.count == 1, let header = headers.first else { return false }
        return context.sessions.proof(of: session)?.accepts(request: header) == true
    }

    /// Whether a request becomes a WebSocket.
    ///
    /// A request without a session does too, so that the close code can report it.
    func opensSocket(_ head: HTTPRequestHead) -> Bool {
        guard Route(head.uri) == .socket, head.method == .GET,
            OriginCheck.refusal(of: head, for: .socket, port: port) == nil
        else { return false }
        return session(of: head) == nil || context.connections.admit(number)
    }

    private func answer(_ head: HTTPRequestHead, _ body: inout RequestBody) async throws -> WebResponse {
        let route = Route(head.uri)
        if let refusal = OriginCheck.refusal(of: head, for: route, port: port) { throw refusal }
        guard let route else { throw PageError.notFound }
        guard route.methods.contains(head.method) else {
            let methods = route.methods.map(\.rawValue).joined(separator: ", ")
            return WebResponse(.methodNotAllowed, [("allow", methods)])
        }
        let cookie = Cookie(port: port)
        let session = session(of: head)
        guard session == nil || context.connections.admit(number) else {
            throw PageError(.serviceUnavailable, "limited", "Too many pages of this node are open. Close one.")
        }
        switch (route, head.method) {
        case (.page(let path), _):
            guard let file = PageFiles.all[path] else { throw PageError.notFound }
            return WebResponse(.ok, [("content-type", file.type)], body: .bytes(file.bytes))
        case (.session, .POST): return try await openSession(&body, cookie)
        default: break
        }
        guard let session else { throw PageError.noSession }
        guard head.method == .GET || head.method == .HEAD || isOfTab(head, session) else { throw PageError.noSession }
        switch (route, head.method) {
        case (.session, .DELETE):
            context.sessions.end(session)
            return WebResponse(.noContent, [("set-cookie", cookie.clearing)])
        case (.media(let message, let index, let isDownload), _):
            let file = try await context.node.conversations.holding(message).presentFile(index, of: message)
            let disposition = Disposition(name: file.name, type: file.type, isDownload: isDownload)
            return try await media(message, index, file, disposition, range: head.headers.first(name: "range"))
        case (.files(let query), _): return try await takeFile(query, head.headers, &body)
        case (.file(let id), _):
            guard await context.uploads.remove(id) else { throw PageError.notFound }
            return WebResponse(.noContent)
        case (.send, _): return try await sendMessage(&body)
        case (.export, _): return try await export(&body)
        case (.code, _): return try await code(&body)
        case (.socket, _): return WebResponse(.upgradeRequired, [("upgrade", "websocket")])
        default: return WebResponse(.noContent)
        }
    }

    private func openSession(_ body: inout RequestBody, _ cookie: Cookie) async throws -> WebResponse {
        let text = try await body.collect(limit: WebLimits.tokenBodyByteCount)
        guard let secrets = context.sessions.open(by: text) else {
            let count = min(context.sessions.wrongTokenCount, WebLimits.countedWrongTokens)
            try await Task.sleep(for: context.times.wrongToken * count)
            throw PageError.noSession
        }
        context.page.tokenUsed()
        let body = Array(try JSONEncoder().encode(["secret": secrets.tab]))
        let headers = [("content-type", WebResponse.json), ("set-cookie", cookie.setting(secrets.cookie))]
        return WebResponse(.ok, headers, body: .bytes(body))
    }

    private func media(
        _ message: MessageID,
        _ index: Int,
        _ file: MessageFile,
        _ disposition: Disposition,
        range: String?
    ) async throws -> WebResponse {
        guard file.isComplete else { throw PageError.notFound }
        var headers = [("content-type", disposition.type), ("accept-ranges", "bytes")]
        if let attachment = disposition.attachment { headers.append(("content-disposition", attachment)) }
        let status: HTTPResponseStatus
        let part: Range<UInt64>
        switch ByteRange(range, of: file.byteCount) {
        case .whole: (status, part) = (.ok, 0..<file.byteCount)
        case .part(let range):
            (status, part) = (.partialContent, range)
            let places = "\(range.lowerBound)-\(range.upperBound - 1)"
            headers.append(("content-range", "bytes \(places)/\(file.byteCount)"))
        case .outside:
            return WebResponse(.rangeNotSatisfiable, [("content-range", "bytes */\(file.byteCount)")])
        }
        // A file that does not match its message is refused before any of its bytes go out.
        let conversation = try await context.node.conversations.holding(message)
        _ = try await conversation.fileBytes(message, index: index, in: part.lowerBound..<part.lowerBound)
        return WebResponse(status, headers, body: .media(message, index: index, part))
    }

    private func code(_ body: inout RequestBody) async throws -> WebResponse {
        let limit = WebLimits.codeBodyByteCount
        let bytes = try await body.collect(limit: limit)
        guard let text = String(validating: bytes, as: UTF8.self),
            let rows = context.page.code(of: text, byteCount: limit)
        else { throw PageError(.badRequest, "invalidParams", "This text does not fit a QR code.") }
        let code = Code(size: rows.count, rows: rows.map { String($0.map { $0 ? "1" : "0" }) })
        return .json(Array(try JSONEncoder().encode(code)))
    }

    private struct Code: Encodable {
        let size: Int
        let rows: [String]
    }
}

extension ChatError {
    /// The HTTP status of the error.
    fileprivate var status: HTTPResponseStatus {
        switch code {
        case .notFound, .notHere: .notFound
        case .locked: .locked
        case .tooLarge: .payloadTooLarge
        case .limited, .homeUnusable: .insufficientStorage
        case .mediaRefused, .fileUnusable: .unprocessableEntity
        case .stopped: .serviceUnavailable
        default: .badRequest
        }
    }
}
