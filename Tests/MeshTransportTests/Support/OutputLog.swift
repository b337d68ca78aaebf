import MeshCore
import MeshTransport

/// The one consumer of a node's outputs: keeps them all and answers who waits for something among them.
actor OutputLog {
    private(set) var outputs: [MeshOutput] = []
    private var waiting: [(isMet: ([MeshOutput]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Reads outputs until the node stops.
    func follow(_ node: MeshNode) async {
        while let more = await node.nextOutputs() {
            outputs += more
            let (met, unmet) = (waiting.filter { $0.isMet(outputs) }, waiting.filter { !$0.isMet(outputs) })
            waiting = unmet
            for waiter in met { waiter.continuation.resume() }
        }
        for waiter in waiting { waiter.continuation.resume() }
        waiting = []
    }

    /// Waits until the outputs so far satisfy a condition, or the node has stopped.
    func wait(until isMet: @escaping @Sendable ([MeshOutput]) -> Bool) async {
        guard !isMet(outputs) else { return }
        await withCheckedContinuation { waiting.append((isMet, $0)) }
    }
}

extension [MeshOutput] {
    /// The bodies of the envelopes that came, in order.
    var bodies: [[UInt8]] {
        compactMap { output in
            guard case .delivered(let envelope, _) = output else { return nil }
            return envelope.body
        }
    }

    /// The nodes that links came up to, once each.
    var linkedNodes: Set<NodeID> {
        Set(
            compactMap { output in
                guard case .linkUp(_, let node, _) = output else { return nil }
                return node
            }
        )
    }

    /// The nodes that links ended to, once each.
    var lostNodes: Set<NodeID> {
        Set(
            compactMap { output in
                guard case .linkDown(_, let node, _) = output else { return nil }
                return node
            }
        )
    }
}
