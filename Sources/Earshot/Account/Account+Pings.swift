import ChatCore
import ChatCrypto

extension Account {
    /// Sends a ping to a peer and waits for the answer.
    func ping(_ peer: PeerID, isLive: Bool) async throws(ChatError) -> PingAnswer {
        let number = UInt64.random(in: .min ... .max)
        // The answer may arrive before `transact` returns.
        let (answers, continuation) = AsyncStream.makeStream(of: PingAnswer?.self, bufferingPolicy: .bufferingNewest(1))
        pings[number] = continuation
        do {
            try await transact { engine in
                try engine.ping(peer, number: number, isLive: isLive)
            }
        } catch {
            pings[number] = nil
            throw error
        }
        for await case let answer? in answers { return answer }
        throw ChatError(.noAnswer, "The peer does not answer. They are offline, or have not accepted you.")
    }

    /// Resumes the caller that waits for the answer to a ping.
    func endPing(_ number: UInt64, _ answer: PingAnswer?) {
        guard let continuation = pings.removeValue(forKey: number) else { return }
        continuation.yield(answer)
        continuation.finish()
    }
}
