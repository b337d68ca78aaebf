package import MeshCore

/// Hosts with a program of their own, which takes the effects that concern it as from a `MeshNode`.
extension SimNet {
    /// The time of the next event; nil if there is none.
    package var nextTime: MeshInstant? { clock.nextTime }

    /// Switches a host on for a program; does nothing if it is on.
    package mutating func start(
        _ host: Int,
        running configuration: MeshConfiguration,
        _ cryptography: any MeshCryptography
    ) {
        guard !hosts[host].isOn else { return }
        hosts[host].prepare(configuration, cryptography)
        start(host)
    }

    /// Passes an event to a host; returns its effects, which are none while the host is off.
    package mutating func effects(of event: MeshEvent, at host: Int) -> [MeshEffect] {
        guard hosts[host].isOn else { return [] }
        send(event, to: host)
        return scratch
    }

    /// Takes the effects that wait for the program of a host; nil if there are none.
    package mutating func takeOutputs(of host: Int) -> (node: NodeID, isBusy: Bool, effects: [MeshEffect])? {
        guard let outputs = hosts[host].outputs, !outputs.isEmpty, let engine = hosts[host].engine else { return nil }
        hosts[host].outputs = []
        return (engine.nodeID, engine.isBusy(at: now), outputs)
    }

    /// Returns the stored envelopes of a kind at a host whose labels begin with one of these.
    package func storedEnvelopes(
        at host: Int,
        _ kind: EnvelopeKind,
        startingWith beginnings: [[UInt8]]
    ) -> [Envelope] {
        hosts[host].engine?.storedEnvelopes(kind, startingWith: beginnings) ?? []
    }
}

extension MeshEffect {
    /// Whether a node hands the effect to its program.
    var concernsProgram: Bool {
        switch self {
        case .deliver, .far, .transmitted, .carried, .linkUp, .linkDown, .pathMessage, .pathLost, .pathRefused,
            .pathReady:
            true
        case .send, .multicast, .storeChanged, .dropped: false
        }
    }
}
