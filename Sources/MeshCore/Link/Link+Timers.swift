extension Link {
    /// The time of this link's next own action.
    var nextDeadline: MeshInstant {
        let silence = health == .up ? configuration.suspectSilence : configuration.closeSilence
        return min(
            min(received.deadline, idleAt, statusDue),
            min(sent.lossDeadline, probeDeadline, paceDeadline),
            lastReceivedAt.advanced(by: silence * silenceFactor)
        )
    }

    /// The time at which the oldest packet in flight counts as unanswered.
    ///
    /// Each timeout in a row waits twice as long as the one before, up to a bound: the neighbour is near, or has
    /// disappeared. In a crowd the bound is higher, for there the segment may just be full.
    private var probeDeadline: MeshInstant {
        guard let oldest = sent.oldestSentAt else { return .distantFuture }
        let timeout = probeTimeout
        let longest = max(timeout, configuration.maximumProbeInterval * crowdFactor)
        let wait = min(timeout * (1 << min(probeCount, 10)), longest)
        return max(oldest, probeBase).advanced(by: wait)
    }

    /// The time for which this end lets all acknowledgements wait.
    var crowdDelay: Duration { configuration.crowdAcknowledgementDelay * (crowdFactor - 1) }

    /// The time without an acknowledgement after which a packet counts as unanswered.
    ///
    /// The peer may see some more nodes than this one, and have the next crowd factor.
    var probeTimeout: Duration {
        let reserve = crowdFactor > 1 ? configuration.crowdAcknowledgementDelay * crowdFactor : .zero
        return roundTrip.probeTimeout(reserve: reserve)
    }

    /// Performs everything that is due.
    mutating func tick(now: MeshInstant) {
        isTouched = true
        checkSilence(now: now)
        if probeDeadline <= now { probe(now: now) }
        guard end == nil else { return }
        if sent.lossDeadline <= now {
            loseOvertaken(now: now)
        }
        if idleAt <= now {
            wantsPing = true
            wantsStatusSum = true
            idleWait = random.jittered(configuration.idleInterval, by: configuration.idleJitter)
            idleAt = now.advanced(by: idleWait * silenceFactor)
        }
    }

    private mutating func checkSilence(now: MeshInstant) {
        let silence = lastReceivedAt.duration(to: now)
        if silence >= configuration.suspectSilence * silenceFactor { health = .suspect }
        if silence >= configuration.closeSilence * silenceFactor { end = .timedOut }
    }

    /// Declares the packets in flight lost, and allows two packets regardless of window and pace.
    private mutating func probe(now: MeshInstant) {
        if probeCount == 0 { unansweredSince = sent.oldestSentAt ?? now }
        probeCount += 1
        probeBase = now
        let unanswered = unansweredSince.duration(to: now)
        if probeCount >= configuration.suspectProbeCount, unanswered >= configuration.suspectDelay {
            health = .suspect
        }
        if probeCount >= configuration.closeProbeCount, unanswered >= configuration.closeDelay * crowdFactor {
            end = .timedOut
        }
        // After so long without an answer, the path may be a different one.
        if unanswered >= roundTrip.smoothed * 4 + .milliseconds(100) { rate.restart() }
        lose(sent.takeAll(olderThan: probeTimeout, now: now))
        wantsPing = true
        wantsProof = true
        probeCredit = 2
    }
}
