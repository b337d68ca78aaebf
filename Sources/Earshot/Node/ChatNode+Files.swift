public import ChatCore
public import ChatCrypto
public import Foundation
import MeshCore

extension ChatNode {
    /// Sends a message to a peer, a group or a room: once this returns it is on disk, and it goes out as soon as there is
    /// a way.
    ///
    /// Files are read and sealed first, pictures and voice notes cleaned; what becomes of them afterwards does not matter.
    /// A message to a group or room goes out as one envelope for all members, and members that have a large file give it
    /// to the others.
    ///
    /// - Parameters:
    ///   - text: At most 64 KiB of UTF-8; it may be empty if there are files.
    ///   - files: At most 16 of at most 4 GiB each. What is larger than 256 KiB is fetched by the recipient while both
    ///     are within reach of each other, until then it waits.
    ///   - options: The message that it answers, the members that it mentions, and how long it is kept.
    ///   - conversation: The conversation; nobody in it has to be in reach.
    /// - Returns: The message.
    /// - Throws: `empty`, `tooLarge`, `fileUnusable`, `mediaRefused`, `noMediaCleaner`, `limited`, `refusedByTrust`,
    ///   `notMember`, `frozen`, `notFound`, or what the store refuses.
    @discardableResult
    public func send(
        _ text: String,
        files: [FileDraft] = [],
        _ options: MessageOptions = MessageOptions(),
        to conversation: ConversationID
    ) async throws(ChatError) -> Message {
        if let room = try await room(conversation) {
            return try await room.send(text, files: files, options, to: conversation)
        }
        return try await seal(text, files, for: conversation) { engine, sealed, longText, transaction in
            switch conversation {
            case .direct(let peer):
                try engine.send(text, files: sealed, longText: longText, options, to: peer, in: &transaction)
            case .group(let group), .room(let group):
                try engine.send(text, files: sealed, longText: longText, options, to: group, in: &transaction)
            }
        }
    }

    /// Seals what goes with a text and sends both, or leaves nothing of it.
    private func seal(
        _ text: String,
        _ files: [FileDraft],
        for conversation: ConversationID,
        _ send: (inout ChatEngine, [SealedFile], SealedFile?, inout ChatTransaction) throws -> Message
    ) async throws(ChatError) -> Message {
        guard files.count <= ChatLimits.fileCount else {
            var error = ChatError(.tooLarge, "A message has at most \(ChatLimits.fileCount) files.")
            error.limit = ChatLimits.fileCount
            throw error
        }
        try checkRunning()
        // What is refused anyway is not sealed first.
        try look { engine, _ in
            let byteCounts = files.map(\.byteCount)
            try engine.checkSending(text, byteCounts, textLimit: ChatLimits.longTextByteCount, to: conversation)
        }
        let (objects, longText) = try await seal(text, files)
        do {
            return try await transact { engine, transaction in try send(&engine, objects, longText, &transaction) }
        } catch {
            for file in objects + [longText].compactMap(\.self) { blobs.delete(file.file) }
            throw error
        }
    }

    /// Seals what goes with a text, and the text where it is too long for a content; the room for it is kept meanwhile.
    private func seal(
        _ text: String,
        _ files: [FileDraft]
    ) async throws(ChatError) -> (files: [SealedFile], longText: SealedFile?) {
        let byteCount = files.map(\.byteCount).saturatingSum
        for case .upload(let upload) in files.map(\.source) { upload.letGoOfRoom() }
        guard mediaShare.hold(byteCount) else { throw engine.noRoom }
        defer { mediaShare.letGo(byteCount) }
        var sealed: [SealedFile] = []
        do {
            for file in files {
                sealed.append(try await seal(file))
            }
            let limit = files.isEmpty ? ChatLimits.textByteCount : ChatLimits.textBesideFilesByteCount
            return (sealed, text.utf8.count > limit ? try await blobs.seal(text) : nil)
        } catch {
            for file in sealed { blobs.delete(file.file) }
            throw error
        }
    }

    /// Gives up a file of an incoming message that is not here yet; the message stays.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: Which of its files, from 0.
    /// - Throws: `notFound` if there is none, or if it is here already; what the store refuses.
    public func cancelFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        if let room = await room(holding: message) { return try await room.cancelFile(message, index: index) }
        try await transact { engine, transaction in try engine.cancelFile(index, of: message, in: &transaction) }
    }

    /// Asks for a file of a message that is neither here nor on its way: one that was written to a group before this node
    /// came, that there was no room for, or that was given up.
    ///
    /// It is fetched from its sender or, in a group, from any member that has it and may give it, as soon as one is within
    /// reach; ``ChatEvent/progress(_:file:byteCount:total:)`` tells when it is here, and
    /// ``ChatEvent/fileFailed(_:file:_:)`` when nobody has it any more. Nothing happens if it is here or on its way.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: Which of its files, from 0.
    /// - Throws: `notFound`, `notHere` where nobody is left who could give it, `limited` where the home has no room for it,
    ///   `notMember`, `refusedByTrust`, or what the store refuses.
    public func fetchFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        if let room = await room(holding: message) { return try await room.fetchFile(message, index: index) }
        try await transact { engine, transaction in try engine.fetchFile(index, of: message, in: &transaction) }
    }

    /// Bytes of a message's file, from any place on: only what holds them is read and opened.
    ///
    /// A picture or voice note that is not what its message says is refused, if the node has a media cleaner; for that all
    /// of it is read once.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: Which of its files, from 0.
    ///   - range: Units: bytes; at most 4 MiB.
    /// - Returns: Fewer where the file ends, none behind it.
    /// - Throws: `notFound`, `notHere` while it has not come, `tooLarge` for a longer range, `fileUnusable` where it is
    ///   damaged, `mediaRefused`.
    public func mediaBytes(
        _ message: MessageID,
        index: Int = 0,
        in range: Range<UInt64>
    ) async throws(ChatError) -> [UInt8] {
        if let room = await room(holding: message) {
            return try await room.mediaBytes(message, index: index, in: range)
        }
        guard range.upperBound - range.lowerBound <= UInt64(ChatLimits.rangeByteCount) else {
            var error = ChatError(.tooLarge, "At most \(ChatLimits.rangeByteCount) bytes are read at once.")
            error.limit = ChatLimits.rangeByteCount
            throw error
        }
        let (name, reference) = try look { engine, transaction in
            try engine.file(index, of: message, in: transaction)
        }
        let file = SealedFile(file: name, reference: reference)
        try await checkOnce(file)
        return try await blobs.bytes(range, of: file)
    }

    /// What is known of a message's file.
    ///
    /// - Parameters:
    ///   - index: Which of its files, from 0.
    ///   - message: The message.
    /// - Throws: `notFound`, `notHere` while it has not come.
    package func file(_ index: Int, of message: MessageID) async throws(ChatError) -> MessageFile {
        if let room = await room(holding: message) { return try await room.file(index, of: message) }
        try checkRunning()
        let (_, reference) = try look { engine, transaction in
            try engine.file(index, of: message, in: transaction)
        }
        return MessageFile(
            name: reference.name,
            type: reference.type,
            byteCount: reference.reference.byteCount,
            isComplete: true,
            media: reference.media
        )
    }

    /// Makes a plain copy of a message's file, which only its owner may read; the caller deletes it.
    ///
    /// Its name is what the sender calls it, made safe, with a number in it where that name is taken. A picture or voice
    /// note that is not what its message says is refused, if the node has a media cleaner.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: Which of its files, from 0.
    ///   - folder: Where the copy goes; by default the folder `media` of the home.
    /// - Returns: The copy.
    /// - Throws: `notFound`, `notHere` while it has not come, `fileUnusable`, `mediaRefused`, or what the disk refuses.
    public func media(
        _ message: MessageID,
        index: Int = 0,
        folder: URL? = nil
    ) async throws(ChatError) -> URL {
        if let room = await room(holding: message) {
            return try await room.media(message, index: index, folder: folder)
        }
        let (file, reference) = try look { engine, transaction in
            try engine.file(index, of: message, in: transaction)
        }
        guard let folder = folder ?? mediaFolder else {
            throw ChatError(.fileUnusable, "A node in memory has no folder for files: name one.")
        }
        let copy = try await blobs.copy(file, reference, to: folder)
        try await check(copy, reference)
        return copy
    }
}
