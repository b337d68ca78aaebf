import ChatCore
import ChatCrypto
import Logging
import MeshCore
import MeshTransport

extension Account {
    // MARK: - To the mesh

    /// Carries out mesh effects in order; consecutive envelopes are submitted together.
    static func submit(
        _ effects: [ChatEffect],
        of blobs: BlobFolder,
        to mesh: any ChatMesh,
        for account: () -> Account?
    ) async {
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

    private static func carryOut(
        _ effect: ChatEffect,
        of blobs: BlobFolder,
        to mesh: any ChatMesh,
        for account: () -> Account?
    ) async {
        switch effect {
        case .spread(let source, let isForMany):
            for index in 0..<source.fragmentCount {
                guard let body = source.body(index, in: blobs) else { break }
                let life = ChatLimits.fragmentLife
                await mesh.submit([OwnEnvelope(kind: .chunk, body: body, life: life, handsOver: !isForMany)])
            }
        case .spreadFar(let source, let mailbox):
            for index in 0..<source.fragmentCount {
                guard let piece = source.body(index, in: blobs) else { break }
                guard let body = MailboxMessage(piece: piece).map({ mailbox.seal($0) }) else { break }
                await mesh.submit([OwnEnvelope(kind: .farChunk, body: body, life: ChatLimits.sealedLife)])
            }
        case .recall(let tags):
            let fragments = await mesh.storedEnvelopes(.chunk, startingWith: tags)
            await account()?.recall(fragments + mesh.storedEnvelopes(.farChunk, startingWith: [[]]))
        case .fetchPieces(let tags): await mesh.fetchPieces(tags)
        case .endFetch(let tag): await mesh.endFetch([tag])
        case .recallSealed(let withControlMessages):
            let prekeyMessages = withControlMessages ? await mesh.storedEnvelopes(.prekey, startingWith: [[]]) : []
            let sealed = await mesh.storedEnvelopes(.sealed, startingWith: [[]])
            let far = await mesh.storedEnvelopes(.far, startingWith: [[]])
            await account()?.recall(prekeyMessages + sealed + far, forGroups: !withControlMessages)
        case .recallPrekeyMessages:
            let far = await mesh.storedEnvelopes(.far, startingWith: [[]])
            await account()?.recall(mesh.storedEnvelopes(.prekey, startingWith: [[]]) + far)
        case .openPath(let hello): await mesh.openPath(hello: hello)
        case .sendOnPath(let message): _ = await mesh.send([message])
        case .linkDirectly(let node): await mesh.linkDirectly(to: node)
        case .submit, .notify, .confirmed, .endPing, .transfer, .room: break
        }
    }

    // MARK: - From the mesh

    /// Handles a batch from the mesh in as few steps as possible; returns the effects that the store refused.
    @discardableResult
    func take(_ batch: MeshBatch) async -> MeshBatch? {
        guard !isClosed else {
            // The mesh keeps sealed envelopes; of the other effects only the links matter.
            for effect in batch.effects { feed.countLinks(effect) }
            return nil
        }
        let writing = transfers.writing
        var rest = takeTransfers(batch.effects)[...]
        // A disk that is slower than the mesh slows the mesh down: the chunks of one batch are written while the next
        // batch is handled, and no more are held.
        await writing?.value
        while !rest.isEmpty, !isClosed {
            let part = rest.prefix(ChatLimits.reportCount)
            var count = part.count
            if configuration.mesh.isRelayOnly {
                reportRelayed(part)
            } else {
                do {
                    count = try await step(through: part) { engine, effect in
                        engine.meshNode = batch.nodeID
                        engine.isMeshBusy = batch.isBusy
                        try engine.handle(effect)
                    }
                } catch {
                    report(error)
                    return isClosed ? nil : MeshBatch(nodeID: batch.nodeID, isBusy: batch.isBusy, effects: Array(rest))
                }
            }
            for effect in part.prefix(count) { feed.countLinks(effect) }
            rest = rest.dropFirst(count)
        }
        return nil
    }

    /// Runs one step over the first arrivals; returns their number.
    private func step<Arrival: Sendable>(
        through arrivals: ArraySlice<Arrival>,
        _ take: @Sendable (inout ChatEngine, Arrival) throws -> Void
    ) async throws(ChatError) -> Int {
        try await transact { engine in
            var count = 0
            for arrival in arrivals where !engine.isStepFull {
                try take(&engine, arrival)
                count += 1
            }
            return count
        }
    }

    /// Handles envelopes that arrived before this node could use them.
    ///
    /// - Parameter forGroups: Whether only keys of groups have arrived since.
    func recall(_ envelopes: [Envelope], forGroups: Bool = false) async {
        var rest = envelopes[...]
        while !rest.isEmpty, !isClosed {
            do {
                let count = try await step(through: rest.prefix(ChatLimits.reportCount)) { engine, envelope in
                    try engine.recall(envelope, forGroups: forGroups)
                }
                rest = rest.dropFirst(count)
            } catch {
                report(error)
                // The next start asks for them again.
                return
            }
        }
    }

    private func reportRelayed(_ effects: ArraySlice<MeshEffect>) {
        for case .deliver(let envelope, let id) in effects {
            let byteCount = Envelope.headerByteCount + envelope.body.count
            let report = EnvelopeReport(id: id.bytes.hex, kind: envelope.kind.rawValue, byteCount: byteCount)
            feed.notify(.relayed(report))
        }
    }
}
