package import MeshCore
package import MeshTransport

/// The mesh as a chat node uses it: that of real sockets, or a virtual one in tests.
///
/// A mesh starts once; the functions mean the same as those of `MeshNode`.
package protocol ChatMesh: AnyObject, Sendable {
    /// The present moment of the clock that also times the snapshot's instants.
    var now: MeshInstant { get async }

    /// Joins the mesh.
    func start() async throws(MeshTransportError)

    /// Leaves the mesh.
    ///
    /// - Parameter quietly: Whether to leave without telling the neighbours.
    func stop(quietly: Bool) async

    /// Waits until effects concern the chat; nil after `stop()`.
    func nextBatch() async -> MeshBatch?

    /// Spreads own envelopes in order.
    func submit(_ envelopes: [OwnEnvelope]) async

    /// Sets whether neighbours push own posts in this node's place.
    func pushThroughNeighbors(_ isOn: Bool) async

    /// Returns the stored envelopes of a kind whose labels begin with one of these.
    func storedEnvelopes(_ kind: EnvelopeKind, startingWith beginnings: [[UInt8]]) async -> [Envelope]

    /// Looks for a path.
    @discardableResult
    func openPath(hello: [UInt8]) async -> PathLabel?

    /// Sends payloads along paths until one is not taken; returns the number of those that were.
    func send(_ messages: [PathMessage]) async -> Int

    /// Links to a node that a path leads to.
    func linkDirectly(to node: NodeID) async

    /// Fetches what this node lacks of objects whose pieces begin so, from the nodes that keep them.
    func fetchPieces(_ tags: [[UInt8]]) async

    /// Ends the fetches of objects that are whole.
    func endFetch(_ tags: [[UInt8]]) async

    /// Begins a gateway: returns the envelopes that concern it, those that are stored first.
    func farEnvelopes() async -> AsyncStream<FarEnvelope>

    /// Reports all stored envelopes that concern the gateway once more.
    func reportFar() async

    /// Delivers and spreads envelopes that the gateway fetched.
    func inject(_ envelopes: [Envelope]) async

    /// Returns the state of the node at this moment.
    func snapshot() async -> MeshSnapshot

    /// Returns the metrics of the mesh.
    func metrics() async -> [Metric]
}

extension MeshNode: ChatMesh {}
