public import ChatCore
public import ChatCrypto
public import Foundation

/// Files of a conversation's messages.
extension ConversationHandle {
    /// Gives up a file of an incoming message that is not here yet; the message stays.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    /// - Throws: `notFound` if there is no such file, or if it is here already; or the store's error.
    public func cancelFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        try await account.transact { engine in
            try engine.check(message, isIn: id)
            try engine.cancelFile(index, of: message)
        }
    }

    /// Requests a file of a message that is neither here nor on its way: it was sent to a group before this node
    /// joined, there was no room for it, or it was given up.
    ///
    /// It is fetched from its sender or, in a group, from any member that has it and may give it, as soon as one is
    /// within reach. ``file(_:index:)`` tells its state. Nothing happens if it is here or on its way.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    /// - Throws: `notFound`, `notHere` if no peer is left that could give it, `limited` if the home has no room for it,
    ///   `notMember`, `refusedByTrust`, or the store's error.
    public func fetchFile(_ message: MessageID, index: Int = 0) async throws(ChatError) {
        try await account.transact { engine in
            try engine.check(message, isIn: id)
            try engine.fetchFile(index, of: message)
        }
    }

    /// Returns the states of a message's file, from the present one on; the sequence ends once the whole file is here, or
    /// once it is not expected any more.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - index: The index of the file, from 0.
    public func file(_ message: MessageID, index: Int = 0) -> Updates<MessageFile> {
        Updates(
            node.feed,
            after: { event in
                switch event {
                case .progress(_, message, file: index, _, _), .fileFailed(_, message, file: index, _): true
                case .changed(let changed): changed.id == message
                default: false
                }
            },
            until: { $0.isComplete || !$0.isExpected },
            read: { [self] () async throws(ChatError) in
                guard let found = try await self.message(message), found.files.indices.contains(index) else {
                    throw ChatError.noSuchMessage
                }
                return found.files[index]
            }
        )
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
    public func fileBytes(
        _ message: MessageID,
        index: Int = 0,
        in range: Range<UInt64>
    ) async throws(ChatError) -> [UInt8] {
        guard range.upperBound - range.lowerBound <= UInt64(ChatLimits.rangeByteCount) else {
            var error = ChatError(.tooLarge, "At most \(ChatLimits.rangeByteCount) bytes can be read at once.")
            error.limit = ChatLimits.rangeByteCount
            throw error
        }
        return try await checkedAccount(message).mediaBytes(message, index: index, in: range)
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
    public func saveFile(
        _ message: MessageID,
        index: Int = 0,
        to folder: URL? = nil
    ) async throws(ChatError) -> URL {
        try await checkedAccount(message).media(message, index: index, folder: folder)
    }

    /// Returns the description of a message's file that is here.
    ///
    /// - Throws: `notFound`, `notHere` while it has not come.
    package func presentFile(_ index: Int, of message: MessageID) async throws(ChatError) -> MessageFile {
        let reference = try await checkedAccount(message).file(index, of: message).reference
        return MessageFile(
            name: reference.name,
            type: reference.type,
            byteCount: reference.reference.byteCount,
            isComplete: true,
            media: reference.media
        )
    }

    /// Returns the account, if this conversation has the message.
    private func checkedAccount(_ message: MessageID) async throws(ChatError) -> Account {
        let account = try await account
        try await account.read { engine in try engine.check(message, isIn: id) }
        return account
    }
}
