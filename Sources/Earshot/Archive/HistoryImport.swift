public import ChatCore
import ChatCrypto
import Foundation

/// The result of an import.
public struct ImportReport: Hashable, Codable, Sendable {
    /// A skipped line.
    public struct Broken: Hashable, Identifiable, Codable, Sendable {
        /// The number of the line, from 1.
        public let line: Int
        /// The reason, as programs read it.
        public let reason: String
        /// The number of the line.
        public var id: Int { line }

        /// Makes a skipped line from its parts.
        public init(line: Int, reason: String) {
            self.line = line
            self.reason = reason
        }
    }

    /// Messages that were not here.
    public internal(set) var addedCount: Int
    /// Messages that were here already, and stayed as they were.
    public internal(set) var knownCount: Int
    /// Files that were not here.
    public internal(set) var fileCount: Int
    /// Contacts that were not known.
    public internal(set) var contactCount: Int
    /// The first 100 added contacts.
    public internal(set) var contacts: [Contact]
    /// Lines of kinds that only newer versions know.
    public internal(set) var unknownCount: Int
    /// Skipped lines.
    public internal(set) var brokenCount: Int
    /// The first 100 skipped lines.
    public internal(set) var broken: [Broken]

    /// Makes a report from its parts.
    public init(
        addedCount: Int = 0,
        knownCount: Int = 0,
        fileCount: Int = 0,
        contactCount: Int = 0,
        contacts: [Contact] = [],
        unknownCount: Int = 0,
        brokenCount: Int = 0,
        broken: [Broken] = []
    ) {
        self.addedCount = addedCount
        self.knownCount = knownCount
        self.fileCount = fileCount
        self.contactCount = contactCount
        self.contacts = contacts
        self.unknownCount = unknownCount
        self.brokenCount = brokenCount
        self.broken = broken
    }

    mutating func note(_ contact: Contact) {
        contactCount += 1
        if contacts.count < ArchiveLimits.reportedCount { contacts.append(contact) }
    }

    mutating func note(_ fault: ArchiveFault, in line: Int) {
        brokenCount += 1
        if broken.count < ArchiveLimits.reportedCount { broken.append(Broken(line: line, reason: fault.rawValue)) }
    }
}

/// A reader of an export into an account, a few lines at a time.
struct HistoryImport {
    private let account: Account
    private let blobs: BlobFolder
    /// The rooms, into which nothing is imported.
    private let rooms: Set<GroupID>
    private var reader: ArchiveReader
    private var owner: PeerID?
    private var report = ImportReport()
    /// The conversation whose messages are read.
    private var conversation: ArchiveConversation?
    private var places = ImportPositions()
    /// Whether the following lines belong to a conversation that is skipped as a whole.
    private var isSkipping = false
    /// Messages that are still to be written.
    private var pending: [ProtoMessageRecord] = []
    private var pendingByteCount = 0
    /// The file whose pieces are read.
    private var file: ImportedFile?
    /// The file whose pieces are passed over.
    private var skipped: BlobID?

    init(
        _ place: URL,
        passphrase: String?,
        into account: Account,
        _ blobs: BlobFolder,
        except rooms: Set<GroupID>
    ) throws(ChatError) {
        self.account = account
        self.blobs = blobs
        self.rooms = rooms
        reader = try ArchiveReader(place, passphrase: passphrase)
    }

    /// Reads the file to its end.
    mutating func read() async throws(ChatError) -> ImportReport {
        do throws(ChatError) {
            while let line = try reader.next() { try await take(line) }
            guard owner != nil else { throw Self.refusal(.noHeader) }
        } catch {
            // The messages that were read before the error are kept.
            try await flush()
            file?.discard()
            throw error
        }
        try await flush()
        file?.discard()
        return report
    }

    private mutating func take(_ line: ArchiveReader.Line) async throws(ChatError) {
        let entry: ArchiveEntry
        do throws(ArchiveFault) {
            guard case .whole(let bytes) = line else { throw .tooLong }
            if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return }
            entry = try ArchiveEntry(reading: bytes, of: owner)
        } catch {
            guard owner != nil else { throw Self.refusal(error) }
            return report.note(error, in: reader.lineNumber)
        }
        if let fault = try await take(entry) { report.note(fault, in: reader.lineNumber) }
    }

    /// Handles the content of a line; returns the reason if the line is skipped.
    private mutating func take(_ entry: ArchiveEntry) async throws(ChatError) -> ArchiveFault? {
        if case .segment(let segment) = entry { return try await take(segment) }
        switch entry {
        case .header(let id): owner = id
        case .contact(let identity, let name, let localName, let isBlocked):
            guard report.contactCount < ArchiveLimits.memberCount else { return .malformed }
            let isOwn = await account.isOwn(owner)
            let contact = try await account.importContact(
                identity,
                named: name,
                localName: localName,
                isBlocked: isBlocked,
                ofOwnExport: reader.isSealed && isOwn
            )
            if let contact { report.note(contact) }
        case .conversation(let next):
            try await flush()
            conversation = nil
            // The peer's view of a conversation with this node's user is not the user's view.
            isSkipping = await account.ownID.bytes == next.id.bytes
            guard !isSkipping else { return .ownConversation }
            if let group = next.id.group, rooms.contains(group) { throw ChatNode.isRoom }
            places = try await account.importPositions(for: next)
            conversation = next
        case .message(let record):
            if isSkipping { return nil }
            guard let id = conversation?.id, record.conversationID == id else { return .outOfPlace }
            pending.append(record)
            pendingByteCount += record.content.count + record.longText.utf8.count + record.groupPart.count
            if pending.count >= ArchiveLimits.stepCount || pendingByteCount >= ArchiveLimits.stepByteCount {
                try await flush()
            }
        case .segment: break
        case .unknown: report.unknownCount += 1
        }
        return nil
    }

    /// Writes the messages that wait.
    private mutating func flush() async throws(ChatError) {
        guard let conversation, !pending.isEmpty else { return }
        let (records, before) = (pending, places)
        (pending, pendingByteCount) = ([], 0)
        let taken = try await account.importMessages(records, of: conversation, at: before)
        places = taken.places
        report.addedCount += taken.addedCount
        report.knownCount += records.count - taken.addedCount
    }

    // MARK: - Files

    private mutating func take(_ segment: ArchiveSegment) async throws(ChatError) -> ArchiveFault? {
        if isSkipping { return nil }
        try await flush()
        let id = BlobID(message: segment.message, index: segment.index)
        if file?.id != id {
            file?.discard()
            file = nil
            if id == skipped { return nil }
            switch try await account.importedFile(id) {
            case .wanted(let byteCount): file = try ImportedFile(id, byteCount: byteCount, in: blobs)
            case .known:
                skipped = id
                return nil
            case .refused: return .outOfPlace
            }
        }
        guard try file?.take(segment) == true else {
            file?.discard()
            file = nil
            return .outOfPlace
        }
        guard let file, let blob = try file.finished() else { return nil }
        self.file = nil
        skipped = id
        do throws(ChatError) {
            try await account.keepImported(blob, as: id)
        } catch {
            blobs.delete(blob.file)
            throw error
        }
        report.fileCount += 1
        return nil
    }

    private static func refusal(_ fault: ArchiveFault) -> ChatError {
        fault == .newer
            ? ChatError(.homeNewer, "The export was written by a newer version of Earshot. Update Earshot.")
            : ChatError(.fileUnusable, "This is not an export of Earshot: its first line is another.")
    }
}
