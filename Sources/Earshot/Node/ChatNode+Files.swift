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
        try await account(of: conversation).send(text, files: files, options, to: conversation)
    }

    /// Gives up a file of an incoming message that is not here yet; the message stays.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: Which of its files, from 0.
    /// - Throws: `notFound` if there is none, or if it is here already; what the store refuses.
    public func cancelFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.cancelFile(index, of: message)
        }
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
        try await account(holding: message).transact { engine in
            try engine.fetchFile(index, of: message)
        }
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
        guard range.upperBound - range.lowerBound <= UInt64(ChatLimits.rangeByteCount) else {
            var error = ChatError(.tooLarge, "At most \(ChatLimits.rangeByteCount) bytes are read at once.")
            error.limit = ChatLimits.rangeByteCount
            throw error
        }
        return try await account(holding: message).mediaBytes(message, index: index, in: range)
    }

    /// What is known of a message's file.
    ///
    /// - Parameters:
    ///   - index: Which of its files, from 0.
    ///   - message: The message.
    /// - Throws: `notFound`, `notHere` while it has not come.
    package func file(_ index: Int, of message: MessageID) async throws(ChatError) -> MessageFile {
        let reference = try await account(holding: message).file(index, of: message).reference
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
        try await account(holding: message).media(message, index: index, folder: folder)
    }

    /// Begins to take a file that is to be sent.
    ///
    /// - Parameter byteCount: Its length.
    /// - Throws: `locked`, `stopped`, `tooLarge`, `limited` where the home has no room for it, or what the disk refuses.
    package func upload(byteCount: UInt64) async throws(ChatError) -> FileUpload {
        try checkRunning()
        return try await account.upload(byteCount: byteCount)
    }
}
