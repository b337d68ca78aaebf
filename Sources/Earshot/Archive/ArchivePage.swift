import ChatCore
import ChatCrypto
import Foundation

/// The parts of a readable export: one self-contained page without scripts.
///
/// Everything that people wrote or chose is escaped, and appears only in text and in values between quotation marks.
/// Pictures and sounds are limited to the kinds that browsers show without running anything. The page's own policy
/// forbids it to load or run anything.
enum ArchivePage {
    /// The media types of the pictures and sounds that are embedded in the page.
    private static let shownTypes: Set<String> = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "audio/ogg", "audio/webm",
    ]

    /// The end of the page.
    static let end = Array("</section></main></body></html>\n".utf8)

    /// Returns the beginning of the page.
    static func begin(_ frame: ExportFrame) -> [UInt8] {
        let list = frame.conversations.map {
            "<li><a href=\"#\($0.line.id)\">\(escaped($0.line.title))</a> (\($0.line.messages))</li>"
        }
        let text = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; media-src data:; \
            style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">
            <title>Earshot: \(escaped(frame.name))</title><style>\(style)</style></head><body>
            <header><h1>\(escaped(frame.name))</h1>
            <p>Exported \(Timestamp(Date()).text). Anybody who has this file can read it.</p><nav><ul>
            \(list.joined(separator: "\n"))
            </ul></nav></header><main><section>
            """
        return Array(text.utf8)
    }

    /// Returns the beginning of a conversation.
    static func begin(_ conversation: ExportFrame.Conversation) -> [UInt8] {
        let line = conversation.line
        let members = line.members.map { escaped($0.name) }.joined(separator: ", ")
        let kind = line.kind == "group" ? "<p class=\"with\">\(members)</p>" : ""
        return Array("</section><section id=\"\(line.id)\"><h2>\(escaped(line.title))</h2>\(kind)\n".utf8)
    }

    /// Writes a message; `encode` writes a file in base64.
    static func write<Output: ArchiveOutput>(
        _ exported: ExportMessage,
        into writer: inout Output,
        encode: (SealedFile, inout Output) async throws -> Void
    ) async throws {
        let message = exported.message
        let time = Timestamp(message.shownAt).text
        if let line = message.systemLine {
            let text = "\(escaped(message.senderName)) \(escaped(ArchiveLine.text(line)))"
            return try await writer.write(
                Array("<p class=\"line\"><time datetime=\"\(time)\">\(time)</time> \(text)</p>\n".utf8)
            )
        }
        var head = "<article class=\"\(message.isOutgoing ? "own" : "other")\" id=\"\(message.id)\">"
        head += "<p class=\"head\"><b>\(escaped(message.senderName))</b> <time datetime=\"\(time)\">\(time)</time></p>"
        if let reply = message.replyTo {
            let name = reply.original.map { escaped($0.senderName) + ": " + escaped(String($0.text.prefix(200))) }
            head += "<blockquote><a href=\"#\(reply.id)\">\(name ?? "a message that is not here")</a></blockquote>"
        }
        head += message.isDeleted ? "<p class=\"line\">deleted</p>" : ""
        let size = message.kind == .emoji ? " emoji" : ""
        head += message.text.isEmpty ? "" : "<p class=\"text\(size)\" dir=\"auto\">\(escaped(message.text))</p>"
        try await writer.write(Array(head.utf8))
        for (index, file) in message.files.enumerated() {
            let here = exported.files.first { $0.index == index }?.file
            try await write(file, here, into: &writer, encode: encode)
        }
        try await writer.write(Array((poll(message) + changes(message) + "</article>\n").utf8))
    }

    private static func write<Output: ArchiveOutput>(
        _ file: MessageFile,
        _ here: SealedFile?,
        into writer: inout Output,
        encode: (SealedFile, inout Output) async throws -> Void
    ) async throws {
        let name = escaped(file.name)
        guard let here, shownTypes.contains(file.type), file.byteCount <= UInt64(MediaLimits.imageByteCount) else {
            return try await writer.write(Array("<p class=\"file\">\(name), \(file.byteCount) bytes</p>".utf8))
        }
        let isPicture = file.type.hasPrefix("image/")
        let start = isPicture ? "<img alt=\"\(name)\" src=\"" : "<audio controls title=\"\(name)\" src=\""
        try await writer.write(Array("<p class=\"file\">\(start)data:\(file.type);base64,".utf8))
        try await encode(here, &writer)
        try await writer.write(Array((isPicture ? "\"></p>" : "\"></audio></p>").utf8))
    }

    private static func poll(_ message: Message) -> String {
        guard let state = message.poll else { return "" }
        let options = zip(state.poll.options, state.votes).map { "<li>\(escaped($0)): \($1.count)</li>" }
        let end = state.isClosed ? " (closed)" : ""
        return "<p class=\"text\">\(escaped(state.poll.question))\(end)</p><ol>\(options.joined())</ol>"
    }

    private static func changes(_ message: Message) -> String {
        let reactions = message.reactions.map { "\(escaped($0.emoji)) \($0.members.count)" }.joined(separator: " ")
        let earlier = message.earlierTexts.map { "<li>\(escaped($0.text))</li>" }.joined()
        let attesters = message.attestedBy.map { escaped($0.name) }.joined(separator: ", ")
        return (reactions.isEmpty ? "" : "<p class=\"with\">\(reactions)</p>")
            + (earlier.isEmpty ? "" : "<details><summary>edited</summary><ol>\(earlier)</ol></details>")
            + (attesters.isEmpty ? "" : "<p class=\"with\">attested by \(attesters)</p>")
            + (message.isImported ? "<p class=\"with\">imported</p>" : "")
    }

    /// Escapes a text, so that it stays a text in an element or between quotation marks; shows characters that reorder
    /// text.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            // Overrides and isolates would reorder text beyond the end of the message.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                let isControl = scalar.properties.generalCategory == .control || scalar.value & 0xFFFE == 0xFFFE
                result += isControl ? "\u{FFFD}" : String(scalar)
            }
        }
        return result
    }

    private static let style = """
        :root{color-scheme:light dark;--back:#fff;--text:#1b1b1f;--own:#dcefdc;--other:#eeeef2;--dim:#66666e}\
        @media(prefers-color-scheme:dark){:root{--back:#16161a;--text:#e8e8ee;--own:#24402a;--other:#2a2a32;--dim:#9a9aa6}}\
        body{background:var(--back);color:var(--text);font:16px/1.45 system-ui,sans-serif;max-width:46rem;margin:0 auto;\
        padding:1rem}article{background:var(--other);border-radius:.8rem;padding:.5rem .8rem;margin:.5rem 4rem .5rem 0;\
        overflow-wrap:anywhere}article.own{background:var(--own);margin:.5rem 0 .5rem 4rem}p{margin:.2rem 0}\
        .text{white-space:pre-wrap}.emoji{font-size:3rem}.head,.line,.with,time,blockquote{color:var(--dim);font-size:.85rem}\
        blockquote{border-left:3px solid var(--dim);margin:.2rem 0;padding-left:.5rem}img{max-width:100%;border-radius:.4rem}\
        audio{width:100%}a{color:inherit}
        """
}
