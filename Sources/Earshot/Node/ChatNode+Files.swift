public import ChatCore
public import ChatCrypto
public import Foundation
import MeshCore

extension ChatNode {
    /// Sends a message to a peer, a group or a room.
    ///
    /// The message is on the disk when this returns; it is transmitted as soon as there is a way.
    ///
    /// Files are read and sealed first, and pictures and voice notes are cleaned; later changes of the files have no
    /// effect. A message to a group or room is one envelope for all members. Members that have a large file give it to
    /// the others.
    ///
    /// - Parameters:
    ///   - text: At most 64 KiB of UTF-8; it may be empty if there are files.
    ///   - files: At most 16 files of at most 4 GiB each. The recipient fetches a file of more than 256 KiB while both
    ///     nodes are within reach of each other; until then it waits.
    ///   - options: The message that it answers, the members that it mentions, and how long it is kept.
    ///   - conversation: The conversation; all its members may be offline.
    /// - Returns: The message.
    /// - Throws: `empty`, `tooLarge`, `fileUnusable`, `mediaRefused`, `noMediaCleaner`, `limited`, `refusedByTrust`,
    ///   `notMember`, `frozen`, `notFound`, or the store's error.
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
    ///   - index: The index of the file, from 0.
    /// - Throws: `notFound` if there is no such file, or if it is here already; or the store's error.
    public func cancelFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.cancelFile(index, of: message)
        }
    }

    /// Requests a file of a message that is neither here nor on its way: it was sent to a group before this node
    /// joined, there was no room for it, or it was given up.
    ///
    /// It is fetched from its sender or, in a group, from any member that has it and may give it, as soon as one is
    /// within reach. ``ChatEvent/progress(_:file:byteCount:total:)`` reports that it is here, and
    /// ``ChatEvent/fileFailed(_:file:_:)`` that no peer has it any more. Nothing happens if it is here or on its way.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    /// - Throws: `notFound`, `notHere` if no peer is left that could give it, `limited` if the home has no room for it,
    ///   `notMember`, `refusedByTrust`, or the store's error.
    public func fetchFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        try await account(holding: message).transact { engine in
            try engine.fetchFile(index, of: message)
        }
    }

    /// Reads bytes of a message's file, from any offset; only the chunks that hold them are read and opened.
    ///
    /// A node with a media cleaner refuses a picture or voice note that does not match its message; for that it reads
    /// the whole file once.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    ///   - range: Units: bytes; at most 4 MiB.
    /// - Returns: The bytes; fewer at the end of the file, none behind it.
    /// - Throws: `notFound`, `notHere` while it has not come, `tooLarge` for a longer range, `fileUnusable` if it is
    ///   damaged, `mediaRefused`.
    public func mediaBytes(
        _ message: MessageID,
        index: Int = 0,
        in range: Range<UInt64>
    ) async throws(ChatError) -> [UInt8] {
        guard range.upperBound - range.lowerBound <= UInt64(ChatLimits.rangeByteCount) else {
            var error = ChatError(.tooLarge, "At most \(ChatLimits.rangeByteCount) bytes can be read at once.")
            error.limit = ChatLimits.rangeByteCount
            throw error
        }
        return try await account(holding: message).mediaBytes(message, index: index, in: range)
    }

    /// Returns the description of a message's file.
    ///
    /// - Parameters:
    ///   - index: The index of the file, from 0.
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

    /// Makes a plain copy of a message's file, which only its owner can read; the caller deletes it.
    ///
    /// Its name is the sender's name for it, made safe, with a number in it if that name is taken. A node with a media
    /// cleaner refuses a picture or voice note that does not match its message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    ///   - folder: The folder for the copy; by default the folder `media` of the home, or of the room.
    /// - Returns: The copy.
    /// - Throws: `notFound`, `notHere` while it has not come, `fileUnusable`, `mediaRefused`, or the disk's error.
    public func media(
        _ message: MessageID,
        index: Int = 0,
        folder: URL? = nil
    ) async throws(ChatError) -> URL {
        try await account(holding: message).media(message, index: index, folder: folder)
    }

    /// Begins an upload of a file that will be sent.
    ///
    /// - Parameter byteCount: The length of the file.
    /// - Throws: `locked`, `stopped`, `tooLarge`, `limited` if the home has no room for it, or the disk's error.
    package func upload(byteCount: UInt64) async throws(ChatError) -> FileUpload {
        try checkRunning()
        return try await account.upload(byteCount: byteCount)
    }
}
