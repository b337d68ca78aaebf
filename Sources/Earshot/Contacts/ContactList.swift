public import ChatCore
public import ChatCrypto

/// The peers that a node knows: the contacts of its user, and unknown peers within reach.
public struct ContactList: Sendable {
    let node: ChatNode

    private var account: Account {
        get async throws(ChatError) { try await node.account(ofAny: nil) }
    }

    /// Returns all peers that this node knows: those the user talks to first, then by name.
    ///
    /// - Throws: `locked`, `suspended`, `stopped`, or the store's error.
    public func all() async throws(ChatError) -> [Contact] {
        try await account.read { engine in engine.contacts(at: engine.step.time) }
    }

    /// Returns a peer; nil if this node does not know it.
    public subscript(_ id: PeerID) -> Contact? {
        get async throws(ChatError) {
            try await account.read { engine in engine.contact(id, at: engine.step.time) }
        }
    }

    /// The peers that this node knows, now and after each change.
    public var updates: Updates<[Contact]> {
        Updates(
            node.feed,
            after: { event in
                switch event {
                case .contact, .trust: true
                default: false
                }
            },
            read: { [self] () async throws(ChatError) in try await all() }
        )
    }

    /// Gives a peer a name of the user's own, which is shown instead of the name that the peer gives itself.
    ///
    /// It is kept with the contact, also in exports, and no peer learns it. It follows the contact to a new identity. An
    /// unknown peer with a name is accepted.
    ///
    /// - Parameters:
    ///   - name: 1 to 32 bytes of UTF-8, like a nickname; nil to show the peer's own name again.
    ///   - peer: The peer.
    /// - Returns: The contact now.
    /// - Throws: `badName`, `notFound`, or the store's error.
    @discardableResult
    public func setLocalName(_ name: String?, of peer: PeerID) async throws(ChatError) -> Contact {
        let name = try name.map { name throws(ChatError) in try NodeOpening.nickname(name) }
        return try await account.transact { engine in
            try engine.setLocalName(name, of: peer)
            guard let contact = engine.contact(peer, at: engine.step.time) else {
                throw ChatError(.notFound, "No contact has this id.")
            }
            return contact
        }
    }

    /// Returns the contact that a user means by a name, a peer id or its first eight or more digits.
    ///
    /// The name is the one that is shown: the user's own for the contact, else the contact's nickname.
    ///
    /// - Parameter who: The text that the user typed.
    /// - Throws: `notFound`, or `ambiguous` with the candidates.
    public func named(_ who: String) async throws(ChatError) -> Contact {
        try await account.read { engine in try engine.contact(named: who, at: engine.step.time) }
    }

    // MARK: - Trust

    /// Returns the safety number that both sides compare; it is the same on both.
    ///
    /// - Parameter peer: The peer.
    /// - Returns: 60 digits.
    /// - Throws: `notFound` if the peer's keys are not known.
    public func safetyNumber(with peer: PeerID) async throws(ChatError) -> String {
        try await account.read { engine in try engine.safetyNumber(with: peer).digits }
    }

    /// Compares a safety number; if it matches, the peer becomes verified.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - number: 60 digits, spaces allowed.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`; then nothing has changed.
    @discardableResult
    public func verify(_ peer: PeerID, number: String) async throws(ChatError) -> TrustState {
        try await account.transact { engine in
            try engine.verify(peer, number: number)
            return engine.trust.state(of: peer)
        }
    }

    /// Compares a code that the user scanned from the peer's screen.
    ///
    /// If it is of this peer, and is meant for this node or for any node, the peer becomes verified.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - code: The code that the peer's node shows.
    /// - Returns: The peer's state now.
    /// - Throws: `numberMismatch`; then nothing has changed.
    @discardableResult
    public func verify(_ peer: PeerID, scanned code: IdentityCode) async throws(ChatError) -> TrustState {
        try await account.transact { engine in
            try engine.verify(peer, scanned: code)
            return engine.trust.state(of: peer)
        }
    }

    /// Carries out the user's decision about a peer.
    ///
    /// - Parameters:
    ///   - decision: Accept, block or unblock.
    ///   - peer: The peer.
    /// - Returns: The contact now.
    /// - Throws: `notFound`, or `refusedByTrust` if the peer's state does not allow it.
    @discardableResult
    public func decide(_ decision: TrustDecision, about peer: PeerID) async throws(ChatError) -> Contact {
        try await account.transact { engine in
            try engine.decide(decision, about: peer)
            guard let contact = engine.contact(peer, at: engine.step.time) else {
                throw ChatError(.notFound, "No contact has this id.")
            }
            return contact
        }
    }

    /// Ends the sessions with a peer on both sides and wipes their keys; the contact and the history stay.
    ///
    /// - Parameter peer: The peer.
    /// - Throws: The store's error.
    public func resetSession(with peer: PeerID) async throws(ChatError) {
        try await account.transact { engine in engine.endSession(with: peer) }
    }

    /// Follows a code for a first message from afar: what is written to its identity leaves as soon as their keys are
    /// known.
    ///
    /// The keys come from a hub that both sides use. The code names the whole id, so that nobody else's keys count.
    ///
    /// - Parameter code: A code that ``OwnIdentity/invite()`` made on another node; one without a token changes nothing.
    /// - Throws: `expired` for a code that has ended, `notFound` for the own one, or the store's error.
    public func follow(_ code: IdentityCode) async throws(ChatError) {
        try await account.transact { engine in try engine.follow(code) }
    }

    // MARK: - Reach

    /// Pings a peer, wherever in the mesh it is, and measures its distance.
    ///
    /// Only a peer that talks to this node's user answers; its node answers without asking its own user.
    ///
    /// - Parameters:
    ///   - peer: The peer.
    ///   - isLive: Whether the ping and its answer travel like speech: each is sent once on every link, and is lost if
    ///     a link loses it. Many live pings show whether a live conversation would work.
    /// - Returns: Its distance in links and in time.
    /// - Throws: `noAnswer` after five seconds, or one second for a live ping; `noSession`, `refusedByTrust`,
    ///   `notFound`, `limited`, `meshUnavailable` before `start()`, or the store's error.
    public func ping(_ peer: PeerID, isLive: Bool = false) async throws(ChatError) -> PingAnswer {
        guard await node.isStarted else {
            throw ChatError(.meshUnavailable, "This node has not joined the mesh. Start it first.")
        }
        return try await account.ping(peer, isLive: isLive)
    }

    // MARK: - Finding by text

    /// Returns the peer of a complete id, known or not, of a link, or the one contact that a text matches.
    ///
    /// A link by which its owner can be written to from afar is followed.
    package func id(named who: String) async throws(ChatError) -> PeerID {
        if let code = IdentityCode(who) {
            if code.token != nil { try await follow(code) }
            return code.id
        }
        if let peer = PeerID(hex: who) { return peer }
        return try await named(who).id
    }

    /// Returns the peer that a text means in a conversation; in a room, only its members match.
    package func id(named who: String, in conversation: ConversationID) async throws(ChatError) -> PeerID {
        guard case .room(let id) = conversation, let room = try await node.rooms[id] else {
            return try await self.id(named: who)
        }
        return try room.member(named: who)
    }

    /// Returns the peers that several texts mean.
    package func ids(named names: [String]) async throws(ChatError) -> [PeerID] {
        var peers: [PeerID] = []
        for name in names { peers.append(try await id(named: name)) }
        return peers
    }
}
