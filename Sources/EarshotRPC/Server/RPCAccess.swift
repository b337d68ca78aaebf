/// The methods that a kind of client may call.
package enum RPCAccess: Sendable {
    /// All methods: the client uses the socket of the data directory, or the node's own streams.
    case owner
    /// The methods that the page uses, without file paths: the client is a browser.
    case page

    /// Whether a client may call a method.
    func allows(_ method: any RPCMethod.Type) -> Bool {
        self == .owner || Self.pageMethods.contains(method.name)
    }

    /// Refuses a call that this client may not make.
    func check<Method: RPCMethod>(_ method: Method) throws(RPCError) {
        guard allows(Method.self) else {
            throw RPCError(.methodNotFound, "The page cannot call `\(Method.name)`. Use the command.")
        }
        guard self == .owner || (method as? SendCall)?.namesPaths != true else {
            throw RPCError(.invalidParameters, "A page cannot use paths. Upload the files by POST.")
        }
    }

    /// The methods of the page as a literal list; a new method is closed to the page until the list names it.
    private static let pageMethods: Set<String> = [
        "status", "profile", "subscribe", "present", "delivery", "lock", "unlock",
        "passphrase.set", "passphrase.change", "passphrase.remove",
        "hubs", "hubs.add", "hubs.remove", "follow", "identity.invite", "identity.endInvites",
        "identity.rotationPlan", "identity.rotate", "identity.revoke",
        "contacts", "safetyNumber", "verify", "trust", "contact.rename",
        "conversations", "history", "history.window", "history.delete", "search", "markRead", "mute", "unmute",
        "pin", "unpin", "retention", "draft", "timer",
        "send", "cancel", "react", "edit", "delete", "typing", "deliveries", "fetchMedia", "cancelMedia",
        "poll.create", "poll.vote", "poll.close",
        "groups", "group.create", "group.history", "group.add", "group.remove", "group.rename", "group.admin",
        "group.successor", "group.takeOver", "group.handover", "group.leave", "group.answer",
        "group.inviters", "map",
        "rooms", "room.visible", "room.create", "room.join", "room.approve", "room.door", "room.rename",
        "room.remove", "room.handover", "room.leave",
    ]
}
