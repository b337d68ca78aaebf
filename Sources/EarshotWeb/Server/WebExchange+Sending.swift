import ChatCrypto
import Earshot
import Foundation
import NIOCore
import NIOHTTP1

/// Uploads, the messages that carry them, and exports.
extension WebExchange {
    /// Receives a file.
    func takeFile(
        _ query: [Substring],
        _ headers: HTTPHeaders,
        _ body: inout RequestBody
    ) async throws -> WebResponse {
        guard let name = Self.value(of: "name", in: query),
            let kind = Self.value(of: "kind", in: query).flatMap(UploadKind.init)
        else {
            throw PageError(.badRequest, "invalidParams", "Give a `name`, and a `kind`: file, image or voice.")
        }
        guard let byteCount = headers.first(name: "content-length").flatMap(UInt64.init) else {
            throw PageError(.lengthRequired, "invalidRequest", "Give the length of the file.")
        }
        guard kind == .file || byteCount <= MediaLimits.sourceByteCount else {
            throw PageError.tooLarge(MediaLimits.sourceByteCount)
        }
        guard await context.uploads.expect() else {
            throw PageError(.tooManyRequests, "limited", "\(WebLimits.uploadCount) files are waiting: send them first.")
        }
        let file: UploadedFile
        do {
            let upload = try await context.node.upload(byteCount: byteCount)
            while let bytes = try await body.next() { try await upload.write(Array(bytes.readableBytesView)) }
            file = try await upload.finish()
        } catch {
            await context.uploads.giveUp()
            throw error
        }
        let id = await context.uploads.settle(file, name: name, kind: kind)
        return .json(Array(try JSONEncoder().encode(["upload": id])))
    }

    /// Puts a message into the outbox.
    func sendMessage(_ body: inout RequestBody) async throws -> WebResponse {
        let parameters = try await body.collect(limit: WebLimits.sendBodyByteCount)
        guard let body = try? JSONDecoder().decode(SendBody.self, from: Data(parameters)) else {
            throw PageError(
                .badRequest,
                "invalidParams",
                "The parameters must be a JSON object, with `uploads` by their ids."
            )
        }
        let ids = body.uploads ?? []
        guard let drafts = await context.uploads.drafts(ids, longestEdge: body.longestEdge) else {
            throw PageError(.badRequest, "notFound", "A file is not here any more. Add it again.")
        }
        let answer = await context.page.send(parameters, drafts)
        if answer.isDone {
            for id in ids { await context.uploads.remove(id) }
        }
        return .json(answer.json, answer.isDone ? .ok : .badRequest)
    }

    /// The parameters of a message that the page's server itself reads.
    private struct SendBody: Decodable {
        let uploads: [String]?
        let longestEdge: Int?
    }

    /// Answers the history as a file to save, because a page names no path of this machine.
    func export(_ body: inout RequestBody) async throws -> WebResponse {
        let bytes = try await body.collect(limit: WebLimits.exportBodyByteCount)
        guard let body = try? JSONDecoder().decode(ExportBody.self, from: Data(bytes)), let options = body.options
        else {
            throw PageError(
                .badRequest,
                "invalidParams",
                "Give the `format`, jsonl or html, and the `conversation` by its id."
            )
        }
        try await context.node.history.checkExport(options)
        await context.node.noteActivity()
        let disposition = Disposition(name: body.fileName, type: "application/octet-stream", isDownload: true)
        let headers =
            [("content-type", disposition.type)]
            + (disposition.attachment.map { [("content-disposition", $0)] } ?? [])
        return WebResponse(.ok, headers, body: .export(options))
    }

    /// The parameters of an export.
    private struct ExportBody: Decodable {
        let format: String
        let conversation: String?
        let passphrase: String?

        /// The parts to export; nil if the parameters are invalid.
        var options: ExportOptions? {
            guard let format = ExportOptions.Format(rawValue: format) else { return nil }
            var options = ExportOptions(format, passphrase: passphrase)
            guard let conversation else { return options }
            if let peer = PeerID(hex: conversation) {
                options.conversation = .direct(peer)
            } else if let group = [UInt8](hex: conversation).flatMap({ GroupID(bytes: $0) }) {
                options.conversation = .group(group)
            } else {
                return nil
            }
            return options
        }

        /// The name under which a browser saves the file.
        var fileName: String { "earshot.\(format)\(passphrase == nil ? "" : ".sealed")" }
    }

    /// Reads a value from a query; nil if it is absent or cannot be decoded.
    private static func value(of name: String, in query: [Substring]) -> String? {
        guard let pair = query.first(where: { $0.hasPrefix("\(name)=") }) else { return nil }
        return pair.dropFirst(name.count + 1).replacing("+", with: " ").removingPercentEncoding
    }
}
