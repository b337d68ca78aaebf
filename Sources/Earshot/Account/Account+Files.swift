import ChatCore
import Foundation

/// The files of messages.
extension Account {
    /// Seals the files of a message and sends it; on failure or cancellation it deletes what it sealed.
    func send(
        _ text: String,
        files: [FileDraft],
        _ options: MessageOptions,
        to conversation: ConversationID,
        progress: (@Sendable (Double) -> Void)?
    ) async throws(ChatError) -> Message {
        guard files.count <= ChatLimits.fileCount else {
            var error = ChatError(.tooLarge, "A message has at most \(ChatLimits.fileCount) files.")
            error.limit = ChatLimits.fileCount
            throw error
        }
        let byteCounts = files.map(\.byteCount)
        // A message that is refused anyway is not sealed first.
        do {
            try engine.checkSending(text, byteCounts, textLimit: ChatLimits.longTextByteCount, to: conversation)
        } catch {
            throw ChatError(error)
        }
        let (sealed, longText) = try await seal(text, files, SealingProgress(of: byteCounts, report: progress))
        do {
            return try await transact { engine in
                try engine.send(text, files: sealed, longText: longText, options, to: conversation)
            }
        } catch {
            for file in sealed + [longText].compactMap(\.self) { blobs.delete(file.file) }
            throw error
        }
    }

    /// Seals the files of a message, and its text if that is too long for a content.
    ///
    /// The space for the files is reserved meanwhile.
    private func seal(
        _ text: String,
        _ files: [FileDraft],
        _ progress: SealingProgress
    ) async throws(ChatError) -> (files: [SealedFile], longText: SealedFile?) {
        let byteCount = files.map(\.byteCount).saturatingSum
        for case .upload(let upload) in files.map(\.source) { upload.releaseReservation() }
        guard mediaQuotaShare.hold(byteCount) else { throw engine.attachments.blobs.noRoom }
        defer { mediaQuotaShare.release(byteCount) }
        var sealed: [SealedFile] = []
        do {
            for (index, file) in files.enumerated() {
                sealed.append(try await seal(file, progress.ofFile(at: index)))
            }
            let limit = files.isEmpty ? ChatLimits.textByteCount : ChatLimits.textBesideFilesByteCount
            let longText = text.utf8.count > limit ? try await blobs.seal(text) : nil
            progress.finish()
            return (sealed, longText)
        } catch {
            for file in sealed { blobs.delete(file.file) }
            throw error
        }
    }

    /// Begins an upload of a file that will be sent.
    func upload(byteCount: UInt64) throws(ChatError) -> FileUpload {
        try checkOpen()
        guard byteCount <= BlobReference.maximumByteCount else {
            var error = ChatError(.tooLarge, "This file is too large: 4 GiB is the most.")
            error.limit = Int(clamping: BlobReference.maximumByteCount)
            throw error
        }
        guard let room = QuotaReservation(byteCount, of: mediaQuotaShare) else { throw engine.attachments.blobs.noRoom }
        do {
            return FileUpload(try blobs.openNameless(), byteCount: byteCount, room)
        } catch {
            throw ChatError(error)
        }
    }

    /// Returns the name and the reference of a message's file that is here.
    func file(_ index: Int, of message: MessageID) throws(ChatError) -> (name: String, reference: FileReference) {
        let (name, reference) = try read { engine in
            try engine.attachments.blobs.file(index, of: message, in: engine.step)
        }
        return (name, reference)
    }

    /// Reads bytes of a message's file.
    func mediaBytes(
        _ message: MessageID,
        index: Int,
        in range: Range<UInt64>
    ) async throws(ChatError) -> [UInt8] {
        let (name, reference) = try file(index, of: message)
        let file = SealedFile(file: name, reference: reference)
        try await checkOnce(file)
        return try await blobs.bytes(range, of: file)
    }

    /// Makes a plain copy of a message's file.
    func media(_ message: MessageID, index: Int, folder: URL?) async throws(ChatError) -> URL {
        let (file, reference) = try file(index, of: message)
        guard let folder = folder ?? mediaFolder else {
            throw ChatError(.fileUnusable, "A node in memory has no folder for files. Give a folder.")
        }
        let copy = try await blobs.copy(file, reference, to: folder)
        do {
            try await media.check(copy, reference)
            return copy
        } catch {
            // The copy is not what its message says.
            try? FileManager.default.removeItem(at: copy)
            throw error
        }
    }

    /// Seals a file of a message into the folder: a plain file as it is, a picture or voice note after its metadata is
    /// stripped.
    private func seal(
        _ draft: FileDraft,
        _ progress: (@Sendable (Double) -> Void)?
    ) async throws(ChatError) -> SealedFile {
        guard draft.treatment != .asIs else {
            return try await blobs.seal(draft, limit: BlobReference.maximumByteCount, progress: progress)
        }
        let clean = try await media.clean(draft)
        return try await blobs.seal(clean, name: "\(draft.name).\(clean.ending)", progress: progress)
    }

    /// Throws for a picture or voice note that does not match its message.
    ///
    /// Each file is checked once, because its bytes do not change.
    private func checkOnce(_ file: SealedFile) async throws(ChatError) {
        guard !checkedBlobs.contains(file.file), await media.needsCheck(file.reference) else { return }
        let whole = try await blobs.bytes(0..<file.reference.reference.byteCount, of: file)
        try await media.check(whole, file.reference)
        if checkedBlobs.count >= ChatLimits.checkedCount { checkedBlobs = [] }
        checkedBlobs.insert(file.file)
    }
}
