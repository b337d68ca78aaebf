package import MeshCore

extension MeshNode {
    /// The envelopes that wait for the gateway; `reportFar()` brings later ones again.
    ///
    /// A whole store may be reported at once, and its envelopes take no more memory for that.
    private static let farLimit = 131_072

    /// Begins a gateway on this node: returns the envelopes that concern it, those that are stored first.
    ///
    /// The gateway before it hears no more.
    package func farEnvelopes() -> AsyncStream<FarEnvelope> {
        farReader?.finish()
        let (stream, continuation) = AsyncStream.makeStream(
            of: FarEnvelope.self,
            bufferingPolicy: .bufferingOldest(Self.farLimit)
        )
        farReader = continuation
        reportFar()
        if isStopped { continuation.finish() }
        return stream
    }

    /// Reports all stored envelopes that concern the gateway once more.
    package func reportFar() {
        handle(.attachGateway)
    }

    /// Delivers and spreads envelopes that the gateway fetched.
    package func inject(_ envelopes: [Envelope]) {
        for envelope in envelopes { handle(.inject(envelope)) }
    }
}
