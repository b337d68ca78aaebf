import Foundation

/// The sequence of measurements at the sending end.
struct Measurement {
    /// Units: bytes of content; the sizes whose rates are compared with others'.
    private static let messages: [(part: WorkloadOptions.Part, byteCount: Int)] = [(.small, 100), (.kilobyte, 1_024)]
    /// Units: bytes of content; the largest text of chat.
    private static let largestByteCount = 13_312
    /// Units: bytes of content; small messages, and half a chunk of a large object.
    private static let payloads: [(part: WorkloadOptions.Part, byteCount: Int)] = [(.pathSmall, 100), (.path, 16_384)]
    /// The pause between starts: handshakes of one address are limited to two a second.
    private static let pauseBetweenStarts = Duration.milliseconds(1_100)
    /// The number of lone messages whose confirmation is timed.
    private static let loneMessageCount = 50

    let workload: WorkloadOptions
    let stage: EndStage
    let receiverCount: Int

    /// Measures everything.
    func report() async throws -> Report {
        var links: [Duration] = []
        var firstMessages: [Duration] = []
        for number in 1..<workload.starts {
            let (end, link, firstMessage) = try await start(number)
            links.append(link)
            firstMessages.append(firstMessage)
            await end.stop()
            try await Task.sleep(for: Self.pauseBetweenStarts)
        }
        let (end, link, firstMessage) = try await start(workload.starts)
        links.append(link)
        firstMessages.append(firstMessage)
        let roundTrip = try await roundTrips(of: end)
        let confirmation = workload.includes(.roundTrips) ? try await end.confirmations(Self.loneMessageCount) : nil
        var messages: [Throughput] = []
        for (part, byteCount) in Self.messages where workload.includes(part) {
            messages.append(try await throughput(of: end, byteCount))
        }
        let largest = workload.includes(.large) ? try await throughput(of: end, Self.largestByteCount) : nil
        let payloads = try await payloadThroughputs(of: end)
        let bulk = try await fileThroughput(of: end)
        let idle = try await idleness()
        await end.stop()
        return Report(
            command: CommandLine.arguments.dropFirst().joined(separator: " "),
            level: workload.level.rawValue,
            store: workload.level == .chat ? workload.store.rawValue : "none",
            receiverCount: receiverCount,
            startToLink: Spread(links),
            startToFirstMessage: Spread(firstMessages),
            roundTrip: roundTrip.map(Spread.init),
            confirmation: confirmation.map(Spread.init),
            messages: messages,
            bulk: bulk,
            bulkByMessages: largest,
            payloads: payloads,
            idle: idle,
            sender: .current
        )
    }

    private func start(_ number: Int) async throws -> (any SendingEnd, link: Duration, firstMessage: Duration) {
        Progress.say("start \(number) of \(workload.starts)")
        let end = try await stage.makeSender(receiverCount: receiverCount)
        let begin = ContinuousClock.now
        try await end.start()
        try await end.waitForLink()
        let link = begin.duration(to: .now)
        try await end.greet()
        return (end, link, begin.duration(to: .now))
    }

    private func roundTrips(of end: any SendingEnd) async throws -> [Duration]? {
        guard workload.includes(.roundTrips) else { return nil }
        Progress.say("\(workload.roundTrips) round trips")
        return try await end.roundTrips(workload.roundTrips)
    }

    private func payloadThroughputs(of end: any SendingEnd) async throws -> [Throughput] {
        var throughputs: [Throughput] = []
        for (part, byteCount) in Self.payloads where workload.includes(part) {
            Progress.say("payloads of \(byteCount) B along a path for \(workload.seconds) s")
            guard let throughput = try await end.stream(byteCount: byteCount, for: .seconds(workload.seconds)) else {
                continue
            }
            Progress.say("\(Int(throughput.megabytesPerSecond)) MB a second, \(throughput.resubmitted) sent again")
            throughputs.append(throughput)
        }
        return throughputs
    }

    private func fileThroughput(of end: any SendingEnd) async throws -> FileThroughput? {
        guard workload.includes(.file), workload.level == .chat else { return nil }
        Progress.say("a file of \(workload.megabytes) MB")
        let throughput = try await end.sendFile(byteCount: workload.megabytes * 1_000_000)
        if let throughput { Progress.say("\(Int(throughput.megabytesPerSecond)) MB a second") }
        return throughput
    }

    private func throughput(of end: any SendingEnd, _ byteCount: Int) async throws -> Throughput {
        Progress.say("messages of \(byteCount) B for \(workload.seconds) s")
        let throughput = try await end.deliver(byteCount: byteCount, for: .seconds(workload.seconds))
        Progress.say("\(Int(throughput.perSecond)) a second, \(throughput.resubmitted) submitted again")
        return throughput
    }

    private func idleness() async throws -> Idleness? {
        guard workload.includes(.idle), workload.idle > 0 else { return nil }
        Progress.say("idle for \(workload.idle) s")
        return try await Idleness.measured(for: workload.idle, interface: workload.interface.first)
    }
}
