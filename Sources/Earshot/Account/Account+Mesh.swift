import ChatCore
import ChatCrypto
import Logging
import MeshCore
import MeshTransport

extension Account {
    // MARK: - To the mesh

    /// Does what steps asked of the mesh, in order; envelopes that follow each other go as one.
    static func submit(
        _ batches: AsyncStream<[ChatEffect]>,
        of blobs: BlobFolder,
        to mesh: MeshNode,
        for account: () -> Account?
    ) async {
        for await effects in batches {
            var envelopes: [OwnEnvelope] = []
            for effect in effects {
                if case .submit(let kind, let body, let life) = effect {
                    envelopes.append(OwnEnvelope(kind: kind, body: body, life: life))
                    continue
                }
                if !envelopes.isEmpty { await mesh.submit(envelopes) }
                envelopes = []
                await carryOut(effect, of: blobs, to: mesh, for: account)
            }
            if !envelopes.isEmpty { await mesh.submit(envelopes) }
        }
    }

    private static func carryOut(
        _ effect: ChatEffect,
        of blobs: BlobFolder,
        to mesh: MeshNode,
        for account: () -> Account?
    ) async {
        switch effect {
        case .spread(let source):
            for index in 0..<source.pieceCount {
                guard let body = source.body(index, in: blobs) else { break }
                await mesh.submit(kind: .chunk, body: body, life: ChatLimits.pieceLife)
            }
        case .recall(let tags):
            let pieces = await mesh.storedEnvelopes(.chunk, startingWith: tags)
            await account()?.recalled(pieces.map(MeshReport.delivered))
        case .recallSealed(let withNotes):
            let flights = withNotes ? await mesh.storedEnvelopes(.prekey, startingWith: [[]]) : []
            let sealed = await mesh.storedEnvelopes(.sealed, startingWith: [[]])
            await account()?.recalled((flights + sealed).map { withNotes ? .delivered($0) : .recalled($0) })
        case .openPath(let label, let hello): await mesh.openPath(label, hello: hello)
        case .sendOnPath(let message): await mesh.send(message)
        case .linkDirectly(let node): await mesh.linkDirectly(to: node)
        case .submit, .tell, .confirmed, .endPing, .transfer, .room: break
        }
    }

    // MARK: - From the mesh

    /// Takes what the mesh handed over, in as few steps as fit; gives back what the store refused.
    @discardableResult
    func take(_ outputs: ArraySlice<MeshOutput>) async -> ArraySlice<MeshOutput>? {
        guard !isClosed else {
            // The mesh keeps what is sealed; of the rest only the links matter.
            for output in outputs { feed.countLinks(output) }
            return nil
        }
        let writing = transfers.writing
        var rest = takeTransfers(outputs)[...]
        // So a disk that is slower than the mesh holds the mesh back: what one batch brought is written while the next
        // one is taken, and no more is held.
        await writing?.value
        guard !rest.isEmpty else { return nil }
        let nodeID = await mesh.nodeID
        while !rest.isEmpty, !isClosed {
            let part = rest.prefix(ChatLimits.reportCount)
            var count = part.count
            if configuration.mesh.isRelayOnly {
                reportRelayed(part)
            } else {
                do {
                    count = try await step(through: part.map(MeshReport.init), as: nodeID)
                } catch {
                    report(error)
                    return isClosed ? nil : rest
                }
            }
            for output in part.prefix(count) { feed.countLinks(output) }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// One step over the first of what was reported; answers how many.
    private func step(through reports: [MeshReport?], as nodeID: NodeID? = nil) async throws(ChatError) -> Int {
        try await transact { engine in
            engine.meshNode = nodeID ?? engine.meshNode
            var count = 0
            for report in reports where !engine.step.isFull {
                if let report { try engine.handle(report) }
                count += 1
            }
            try engine.sendDueReceipts()
            return count
        }
    }

    /// Takes what came before it was expected.
    func recalled(_ reports: [MeshReport]) async {
        var rest = reports[...]
        while !rest.isEmpty, !isClosed {
            do {
                rest = rest.dropFirst(try await step(through: Array(rest.prefix(ChatLimits.reportCount))))
            } catch {
                report(error)
                // They are asked for again at the next start.
                return
            }
        }
    }

    private func reportRelayed(_ outputs: ArraySlice<MeshOutput>) {
        for case .delivered(let envelope, let id) in outputs {
            let byteCount = Envelope.headerByteCount + envelope.body.count
            let report = EnvelopeReport(id: id.bytes.hex, kind: envelope.kind.rawValue, byteCount: byteCount)
            feed.tell(.relayed(report))
        }
    }
}
