public import MeshCore

extension MeshNode {
    /// The present moment of the clock that also times the snapshot's instants.
    public var now: MeshInstant { clock.now }

    /// Looks for a path: floods a hello, which the node that can open it answers.
    ///
    /// - Parameter hello: A session message of at most 256 bytes.
    /// - Returns: The label of this end, to which the answer comes; nil if there are too many probes at the moment.
    @discardableResult
    public func openPath(hello: [UInt8]) -> PathLabel? {
        handle(.openPath(hello: hello))
        let label = PathLabel(trailOf: engine.envelopeID(kind: .probe, body: hello))
        return effects.contains(.pathRefused(label)) ? nil : label
    }

    /// Sends a payload along a path.
    ///
    /// A live payload is never sent again; a node without room for it drops it silently.
    ///
    /// - Returns: Whether it was taken; if not, the effect `pathReady` tells when to go on, or `pathLost` that there is
    ///   no way any more.
    @discardableResult
    public func send(_ message: PathMessage) -> Bool {
        handle(.sendOnPath(message))
        return !effects.contains(.pathRefused(message.to)) && !effects.contains(.pathLost(message.to))
    }

    /// Sends payloads along paths, one after the other, until one is not taken.
    ///
    /// - Returns: The number of payloads that were taken; for the next, the effect `pathReady` tells when to go on, or
    ///   `pathLost` that there is no way any more.
    public func send(_ messages: [PathMessage]) -> Int {
        for (index, message) in messages.enumerated() where !send(message) { return index }
        return messages.count
    }

    /// Links to a node that a path leads to, if it is heard here and there is room.
    public func linkDirectly(to node: NodeID) {
        handle(.linkDirectly(node))
    }

    /// Fetches what this node lacks of objects, from the nodes that keep them, if nothing comes by itself.
    ///
    /// - Parameter tags: The first 8 bytes of the bodies of each object's pieces.
    package func fetchPieces(_ tags: [[UInt8]]) {
        handle(.fetchPieces(tags))
    }

    /// Ends the fetches of objects that are whole.
    package func endFetch(_ tags: [[UInt8]]) {
        handle(.endFetch(tags))
    }
}
