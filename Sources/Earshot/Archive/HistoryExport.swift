public import ChatCore
import ChatCrypto
import Foundation

/// The options of an export of the history.
public struct ExportOptions: Hashable, Sendable {
    /// The format of an export.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// The complete records, one JSON object per line: for programs, and for an import.
        case jsonl
        /// A readable page that contains its pictures and voice notes.
        case html
    }

    /// The format.
    public var format: Format
    /// The conversation; nil for all except rooms, which leave nothing behind.
    public var conversation: ConversationID?
    /// The passphrase that seals the file; nil for a plain file, which anyone who has it can read.
    public var passphrase: String?
    /// Whether the passphrase is stretched with the least work that is allowed, for tests and small devices.
    package var isCheap = false

    /// Makes options.
    public init(_ format: Format = .jsonl, conversation: ConversationID? = nil, passphrase: String? = nil) {
        self.format = format
        self.conversation = conversation
        self.passphrase = passphrase
    }
}

/// The counts of an export.
public struct ExportReport: Hashable, Codable, Sendable {
    /// Conversations.
    public internal(set) var conversationCount: Int
    /// Messages.
    public internal(set) var messageCount: Int
    /// Files of messages.
    public internal(set) var fileCount: Int
    /// Disappearing messages, which no export contains.
    public internal(set) var disappearingCount: Int
    /// Files that are not here, or damaged.
    public internal(set) var missingFileCount: Int

    /// Makes a report from its counts.
    public init(
        conversationCount: Int = 0,
        messageCount: Int = 0,
        fileCount: Int = 0,
        disappearingCount: Int = 0,
        missingFileCount: Int = 0
    ) {
        self.conversationCount = conversationCount
        self.messageCount = messageCount
        self.fileCount = fileCount
        self.disappearingCount = disappearingCount
        self.missingFileCount = missingFileCount
    }
}

/// A writer of a history into a file, a page at a time.
struct HistoryExport: Sendable {
    let source: any ExportSource
    let blobs: BlobFolder
    let options: ExportOptions

    /// Writes the file; deletes it on failure.
    @concurrent
    func write(to place: URL) async throws(ChatError) -> ExportReport {
        var writer = try ArchiveWriter(place, passphrase: options.passphrase, cost: cost)
        do {
            return try await write(into: &writer)
        } catch {
            writer.discard()
            throw ChatError(error)
        }
    }

    /// Passes the bytes of the file to `send` as they are made.
    @concurrent
    func write(by send: @escaping ArchiveStream.Sending) async throws(ChatError) -> ExportReport {
        do {
            var stream = try ArchiveStream(passphrase: options.passphrase, cost: cost, send)
            return try await write(into: &stream)
        } catch {
            throw ChatError(error)
        }
    }

    private var cost: PassphraseCost { options.isCheap ? .small : .standard }

    private func write(into writer: inout some ArchiveOutput) async throws -> ExportReport {
        var report = ExportReport()
        let frame = try await source.exportFrame(options.conversation)
        try await writer.write(begin(frame))
        for conversation in frame.conversations {
            report.conversationCount += 1
            try await writer.write(begin(conversation))
            try await write(conversation, into: &writer, &report)
        }
        if options.format == .html { try await writer.write(ArchivePage.end) }
        try await writer.finish()
        return report
    }

    private func begin(_ frame: ExportFrame) throws -> [UInt8] {
        guard options.format == .jsonl else { return ArchivePage.begin(frame) }
        let header = ArchiveLine.Header(
            version: 1,
            exportedAt: Timestamp(Date()).text,
            id: frame.id.description,
            name: frame.name
        )
        return try ArchiveLine.bytes(header) + frame.contacts.flatMap { try ArchiveLine.bytes($0) }
    }

    private func begin(_ conversation: ExportFrame.Conversation) throws -> [UInt8] {
        guard options.format == .jsonl else { return ArchivePage.begin(conversation) }
        return try ArchiveLine.bytes(conversation.line)
    }

    /// Writes the messages of a conversation, oldest first.
    private func write(
        _ conversation: ExportFrame.Conversation,
        into writer: inout some ArchiveOutput,
        _ report: inout ExportReport
    ) async throws {
        // Pages lead from the newest message to the oldest, so the ends of all pages are collected first.
        var ends: [UInt64?] = []
        var end: UInt64?
        repeat {
            ends.append(end)
            end = try await source.exportEnd(of: conversation.id, before: end)
        } while end != nil
        for end in ends.reversed() {
            let page = try await source.exportPage(of: conversation.id, before: end)
            report.disappearingCount += page.disappearingCount
            for message in page.messages {
                report.messageCount += 1
                switch options.format {
                case .jsonl:
                    let line = ArchiveLine.Message(message.message, record: message.record)
                    try await writer.write(ArchiveLine.bytes(line))
                    for (index, file) in message.files {
                        try await write(file, index, of: message, into: &writer, &report)
                    }
                case .html:
                    try await ArchivePage.write(message, into: &writer) { file, writer in
                        try await writeEncoded(file, into: &writer, &report)
                    }
                }
                report.missingFileCount += message.message.files.count - message.files.count
            }
        }
    }

    /// Writes a file as lines.
    private func write(
        _ file: SealedFile,
        _ index: Int,
        of message: ExportMessage,
        into writer: inout some ArchiveOutput,
        _ report: inout ExportReport
    ) async throws {
        guard blobs.chunk(0, of: file) != nil else {
            report.missingFileCount += 1
            return
        }
        report.fileCount += 1
        for number in 0..<file.reference.reference.chunkCount {
            guard let chunk = blobs.chunk(number, of: file) else {
                report.missingFileCount += 1
                report.fileCount -= 1
                return
            }
            let segment = ArchiveLine.Segment(
                message: message.message.id.description,
                index: index,
                offset: UInt64(number) * UInt64(BlobReference.chunkByteCount),
                data: Data(chunk)
            )
            try await writer.write(ArchiveLine.bytes(segment))
        }
    }

    /// Writes a file in base64, within a page.
    private func writeEncoded(
        _ file: SealedFile,
        into writer: inout some ArchiveOutput,
        _ report: inout ExportReport
    ) async throws {
        report.fileCount += 1
        var rest: [UInt8] = []
        for number in 0..<file.reference.reference.chunkCount {
            guard let chunk = blobs.chunk(number, of: file) else {
                report.missingFileCount += 1
                report.fileCount -= 1
                break
            }
            rest += chunk
            // Three bytes make four letters; the remaining bytes go with the next chunk.
            let count = rest.count / 3 * 3
            try await writer.write(Array(Data(rest.prefix(count)).base64EncodedString().utf8))
            rest.removeFirst(count)
        }
        try await writer.write(Array(Data(rest).base64EncodedString().utf8))
    }
}
