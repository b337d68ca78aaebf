public import MeshCore

extension MeshNode {
    /// The present moment of the clock that the snapshot's instants are of.
    public var now: MeshInstant { clock.now }

    /// Looks for a path: floods a hello for whoever can open it, who answers under the label.
    ///
    /// - Parameters:
    ///   - label: Random, and never used before.
    ///   - hello: A session message of at most 248 bytes.
    /// - Returns: Whether it was taken; if not, there are too many probes at the moment.
    @discardableResult
    public func openPath(_ label: PathLabel, hello: [UInt8]) -> Bool {
        handle(.openPath(label, hello: hello))
        return !effects.contains(.pathRefused(label))
    }

    /// Sends a payload along a path.
    ///
    /// A live one is never sent again, and dropped without a word by whoever has no room for it.
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
    /// - Returns: How many were taken; for the next, the effect `pathReady` tells when to go on, or `pathLost` that
    ///   there is no way any more.
    public func send(_ messages: [PathMessage]) -> Int {
        for (index, message) in messages.enumerated() where !send(message) { return index }
        return messages.count
    }

    /// Links to a node that a path leads to, if it is heard here and there is room.
    public func linkDirectly(to node: NodeID) {
        handle(.linkDirectly(node))
    }
}
