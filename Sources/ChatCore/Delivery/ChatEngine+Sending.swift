import ChatCrypto
import MeshCore
import SwiftProtobuf

extension ChatEngine {
    /// Writes a text to the outbox and the history, and sends it as soon as keys are known.
    ///
    /// - Parameters:
    ///   - files: The files of the message, sealed in the directory already.
    ///   - longText: The text itself, sealed in the directory, if it is too long for a content.
    package mutating func send(
        _ text: String,
        files: [SealedFile] = [],
        longText: SealedFile? = nil,
        _ options: MessageOptions = MessageOptions(),
        to conversation: ConversationID
    ) throws -> Message {
        let attached = MessageAttachments(files: files, longText: longText, text: text)
        let (body, context) = try compose(text, attached, options, to: conversation)
        clearDraft(in: conversation)
        return try enqueue(.text(body), context, attached, to: conversation, accepts: options.acceptsStranger)
    }

    /// Builds the content and context of a text, after all checks.
    func compose(
        _ text: String,
        _ attached: MessageAttachments,
        _ options: MessageOptions,
        to conversation: ConversationID
    ) throws -> (body: MessageContent.Text, context: MessageContext) {
        let textLimit = attached.longText == nil ? ChatLimits.textByteCount : ChatLimits.longTextByteCount
        try checkSending(text, attached.byteCounts, textLimit: textLimit, to: conversation)
        guard attachments.blobs.reserveSpace(for: attached.byteCounts) else { throw attachments.blobs.noRoom }
        let body = MessageContent.Text(
            attached.longText == nil ? text : "",
            files: attached.files.map(\.reference),
            longText: attached.longText?.reference
        )
        return (body, try context(options, naming: body.text, in: conversation))
    }

    /// Puts a checked content into the history and the outbox.
    ///
    /// - Parameter accepts: Whether an unknown peer becomes a contact by it.
    mutating func enqueue(
        _ body: MessageContent.Body,
        _ context: MessageContext,
        _ attached: MessageAttachments = MessageAttachments(),
        to conversation: ConversationID,
        accepts: Bool = true
    ) throws -> Message {
        if accepts, case .direct(let peer) = conversation, trust.state(of: peer) == .unknown, trust[peer] != nil {
            try decide(.accept, about: peer)
        }
        let order = conversations[conversation]?.nextOrder ?? 1
        let decoded = MessageContent.Decoded(body, sentAt: step.time.wall, order: order, context: context)
        let content = MessageContent.message(decoded, salt: randomBytes(16))
        guard let message = try enqueue(content, saying: decoded, attached, to: conversation).message else {
            throw ChatError(.notFound, "The message was not stored.")
        }
        return message
    }

    /// Appends a content to the history and puts it into the outbox.
    ///
    /// A change of a group's message has a record too, which notes who has received it, but is not shown.
    mutating func enqueue(
        _ content: [UInt8],
        saying decoded: MessageContent.Decoded,
        _ attached: MessageAttachments = MessageAttachments(),
        to conversation: ConversationID
    ) throws -> (id: MessageID, message: Message?) {
        let content = sendable(content, to: conversation)
        let id = MessageContent.id(of: content, from: ownID, to: conversation)
        if decoded.order > 0 { conversations.noteSent(conversation) }
        var record = ProtoMessageRecord()
        record.id = .bytes(id.bytes)
        record.sender = .bytes(ownID.bytes)
        record.conversation = .bytes(conversation.bytes)
        // A change is in its envelope already, and part of the message that it changes.
        record.content = .bytes(decoded.body.isMessage ? content : MessageContent.tombstone(of: content))
        record.receivedAt = step.time.wall
        record.outgoing = true
        record.longText = attached.shownText
        if let group = conversation.group, let epoch = groups.membership(group)?.log.epoch {
            expectReceipts(of: &record, id, sealedIn: epoch, in: group)
        }
        for (index, file) in attached.all {
            attachments.keep(file, as: BlobID(message: id, index: index), in: conversation, from: ownID)
        }
        try settleAttachments()
        let message = try place(record, saying: decoded, in: conversation)
        switch conversation {
        case .direct(let peer): queue(id, content, to: peer)
        case .group, .room: outbox.enqueue(id, content, in: conversation, as: .message, at: step.time.wall)
        }
        return (id, message)
    }

    /// Adds to a content what is not said of it elsewhere: to a peer the user's profile and hubs, and that a receipt may
    /// be carried.
    private func sendable(_ content: [UInt8], to conversation: ConversationID) -> [UInt8] {
        var content = content
        if case .direct(let peer) = conversation {
            content = contacts.withHubs(contacts.withProfile(content), to: peer)
        }
        return carries ? MessageContent.withTrail(content) : content
    }

    /// Puts a message, a change, a control message for a member of a group, or a statement, into the outbox.
    ///
    /// It is sealed at the end of the batch.
    ///
    /// - Parameter generation: The identity that seals it; nil for the present one.
    mutating func queue(
        _ id: MessageID,
        _ content: [UInt8],
        to peer: PeerID,
        isControl: Bool = false,
        as generation: UInt32? = nil
    ) {
        outbox.enqueue(
            id,
            content,
            in: .direct(peer),
            as: isControl ? .control : .message,
            by: generation ?? identityHistory.generation,
            at: step.time.wall
        )
    }

    /// Refuses content that cannot be sent to this conversation, or not now.
    package func checkSending(
        _ text: String,
        _ fileByteCounts: [UInt64],
        textLimit: Int,
        to conversation: ConversationID
    ) throws {
        guard !text.isEmpty || !fileByteCounts.isEmpty else { throw ChatError(.empty, "The message is empty.") }
        guard text.utf8.count <= textLimit else {
            var error = ChatError(.tooLarge, "A text has at most \(textLimit) bytes. Send it in parts.")
            error.limit = textLimit
            throw error
        }
        guard attachments.blobs.hasCapacity(for: fileByteCounts) else { throw attachments.blobs.noRoom }
        try checkWriting(to: conversation)
    }

    /// Refuses any content that cannot be written to a conversation now.
    func checkWriting(to conversation: ConversationID) throws {
        switch conversation {
        case .direct(let peer): try checkWriting(to: peer)
        case .group(let group), .room(let group): try checkWriting(to: group)
        }
    }

    /// Refuses content that cannot be written to this group, or not now.
    private func checkWriting(to group: GroupID) throws {
        guard let session = groups.membership(group) else { throw groups.notMember(group) }
        try identityHistory.checkWriting()
        guard session.log.fork == nil else { throw ChatError.groupFrozen }
        guard !session.recipients.isEmpty else { throw ChatError(.notFound, "The group has no other members.") }
        guard outbox.controlCount + session.recipients.count < ChatLimits.controlCount else {
            throw ChatError.tooManyControlMessages
        }
        try checkOutbox()
    }

    /// Refuses any content that cannot be written to a peer now.
    func checkWriting(to peer: PeerID) throws {
        try checkOutbox()
        try checkTrust(in: peer)
    }

    /// Refuses another message if too many wait.
    func checkOutbox() throws {
        guard outbox.messageCount < ChatLimits.outboxCount else {
            throw ChatError(
                .limited,
                "\(ChatLimits.outboxCount) messages are waiting already. Wait until some have arrived."
            )
        }
    }

    /// Refuses a peer that is unknown, or that nothing may be sent to.
    func checkTrust(in peer: PeerID) throws {
        guard peer != ownID else { throw ChatError(.notFound, "This is your own id.") }
        guard let known = trust[peer] else {
            // Messages to the peer of a link wait for their keys.
            guard invites.isFollowed(peer) else { throw ChatError(.notFound, "No contact has this id.") }
            return try identityHistory.checkWriting()
        }
        try identityHistory.checkWriting()
        guard trust.maySend(to: peer) else {
            var error = ChatError(.refusedByTrust, Self.refusal(of: known))
            error.trust = known.state
            throw error
        }
    }

    private static func refusal(of peer: KnownPeer) -> String {
        switch peer.state {
        case .changed where peer.isContested:
            "Several new identities claim to be this contact's. Compare the safety number with 'verify'."
        case .changed where peer.successor != nil:
            "This contact has a new identity. Compare the safety number with 'verify', or use 'trust accept'."
        case .changed:
            """
            Another identity claims this contact's name. Compare the safety number with 'verify', or use 'trust \
            accept'.
            """
        case .revoked: "This contact has revoked their identity. Ask them for the new one."
        case .blocked: "This contact is blocked. Use 'trust unblock' first."
        case .unknown, .tofu, .verified: "This contact has a new identity. Write to that one."
        }
    }
}
