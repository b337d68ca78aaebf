import Earshot
import Foundation
import MeshCore
import MeshSimulation
import MeshTransport
import Synchronization

/// The simulated network, the timers of all nodes, and the count of the work that goes on beside the mesh.
///
/// Time advances only while the count is zero. A node's program is at work from the moment at which it gets a batch
/// until it asks for the next one.
final class VirtualNetwork: Sendable {
    /// The number of events that are carried out at one time.
    private static let eventCount = 1_000

    fileprivate struct Timer: Sendable {
        let number: Int
        let work: @Sendable () async -> Void
    }

    /// The program of a host that is on.
    fileprivate struct Program: Sendable {
        var isAtWork = false
        var waiting: CheckedContinuation<MeshBatch?, Never>?
        /// The gateway of the host, if it has one.
        var farReader: AsyncStream<FarEnvelope>.Continuation?
    }

    fileprivate struct State: Sendable {
        var net: SimNet
        var timers = SimClock<Timer>()
        /// The timers that were neither cancelled nor carried out.
        var live: Set<Int> = []
        var nextNumber = 0
        var programs: [Int: Program] = [:]
        var workCount = 0
        var settling: [CheckedContinuation<Void, Never>] = []
    }

    let hostNumbers: Range<Int>
    private let start: Date
    private let state: Mutex<State>

    init(_ net: sending SimNet, start: Date) {
        hostNumbers = net.hostNumbers
        self.start = start
        state = Mutex(State(net: net))
    }

    // MARK: - Clocks

    var now: MeshInstant { state.withLock(\.net.now) }

    var date: Date { Date(timeIntervalSince1970: Double(wall) / 1_000) }

    /// Units: milliseconds since 1970.
    var wall: UInt64 { Timestamp(start).milliseconds + now.nanoseconds / 1_000_000 }

    /// Runs work at a moment; returns the number by which it can be cancelled before.
    func schedule(at moment: MeshInstant, _ work: @escaping @Sendable () async -> Void) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.live.insert(state.nextNumber)
            state.timers.schedule(Timer(number: state.nextNumber, work: work), at: max(moment, state.net.now))
            return state.nextNumber
        }
    }

    func cancel(_ number: Int) {
        state.withLock { _ = $0.live.remove(number) }
    }

    // MARK: - Work and time

    func workBegan() {
        state.withLock { $0.workCount += 1 }
    }

    func workEnded() {
        state.withLock { $0.endWork() }
    }

    /// Waits until no work goes on.
    func settle() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if state.workCount == 0 { continuation.resume() } else { state.settling.append(continuation) }
            }
        }
    }

    /// Carries out what happens next, once no work goes on; returns whether there is more until the end.
    func advance(until end: MeshInstant) async -> Bool {
        await settle()
        let due = state.withLock { $0.advance(until: end, eventCount: Self.eventCount) }
        for timer in due {
            Task {
                await timer.work()
                workEnded()
            }
        }
        return state.withLock { $0.workCount > 0 || $0.net.now < end }
    }

    // MARK: - Hosts

    /// Switches a host on; returns false if it is on already.
    func start(_ host: Int, _ configuration: MeshConfiguration, _ cryptography: any MeshCryptography) -> Bool {
        state.withLock { state in
            guard state.programs[host] == nil else { return false }
            // The program is at work until it asks for its first batch.
            state.programs[host] = Program(isAtWork: true)
            state.workCount += 1
            state.net.start(host, running: configuration, cryptography)
            return true
        }
    }

    func stop(_ host: Int, quietly: Bool) {
        state.withLock { state in
            if quietly { state.net.crash(host) } else { state.net.leave(host) }
            let program = state.programs.removeValue(forKey: host)
            program?.waiting?.resume(returning: nil)
            program?.farReader?.finish()
            if program?.isAtWork == true { state.endWork() }
        }
    }

    /// Waits for effects that concern the program of a host; nil once the host is off.
    func nextBatch(at host: Int) async -> MeshBatch? {
        await withCheckedContinuation { continuation in
            state.withLock { $0.wait(continuation, at: host) }
        }
    }

    /// Begins the gateway of a host, and ends an earlier one.
    func farEnvelopes(at host: Int) -> AsyncStream<FarEnvelope> {
        let (stream, continuation) = AsyncStream.makeStream(of: FarEnvelope.self)
        state.withLock { state in
            state.programs[host]?.farReader?.finish()
            if state.programs[host] == nil { continuation.finish() }
            state.programs[host]?.farReader = continuation
        }
        return stream
    }

    /// Passes an event to the engine of a host; returns its effects.
    func send(_ event: MeshEvent, to host: Int) -> [MeshEffect] {
        state.withLock { state in
            let effects = state.net.effects(of: event, at: host)
            state.handOver(host)
            return effects
        }
    }

    func sentTraffic(of host: Int) -> SimTraffic { state.withLock { $0.net.sentTraffic(of: host) } }

    func snapshot(of host: Int) -> MeshSnapshot? { state.withLock { $0.net.snapshot(of: host) } }

    func storedEnvelopes(
        at host: Int,
        _ kind: EnvelopeKind,
        startingWith beginnings: [[UInt8]]
    ) -> [Envelope] {
        state.withLock { $0.net.storedEnvelopes(at: host, kind, startingWith: beginnings) }
    }

    // MARK: - The air

    func connect(_ host: Int, to segment: Int, _ isConnected: Bool) {
        state.withLock { state in
            if isConnected { state.net.attach(host, to: segment) } else { state.net.detach(host, from: segment) }
        }
    }

    func setQuality(_ quality: SegmentQuality, of segment: Int) {
        state.withLock { $0.net.setQuality(quality, of: segment) }
    }
}

extension VirtualNetwork.State {
    fileprivate mutating func endWork() {
        workCount -= 1
        guard workCount == 0 else { return }
        for continuation in settling { continuation.resume() }
        settling = []
    }

    /// Carries out events until one gives a program work, or until the end; returns the timers that are due.
    fileprivate mutating func advance(until end: MeshInstant, eventCount: Int) -> [VirtualNetwork.Timer] {
        var due: [VirtualNetwork.Timer] = []
        for _ in 0..<eventCount {
            guard workCount == 0 else { break }
            let next = min(net.nextTime ?? end, timers.nextTime ?? end, end)
            net.run(until: next)
            while let timer = timers.next(until: next) {
                guard live.remove(timer.number) != nil else { continue }
                workCount += 1
                due.append(timer)
            }
            for host in programs.keys.sorted() { handOver(host) }
            if next == end { break }
        }
        return due
    }

    /// Lets the program of a host wait for its next batch, which ends its work.
    fileprivate mutating func wait(_ continuation: CheckedContinuation<MeshBatch?, Never>, at host: Int) {
        guard var program = programs[host] else { return continuation.resume(returning: nil) }
        let wasAtWork = program.isAtWork
        program.isAtWork = false
        program.waiting = continuation
        programs[host] = program
        handOver(host)
        if wasAtWork { endWork() }
    }

    /// Gives the effects that wait to the program of a host if it waits for them.
    fileprivate mutating func handOver(_ host: Int) {
        guard let waiting = programs[host]?.waiting, let batch = net.takeOutputs(of: host) else { return }
        for case .far(let envelope) in batch.effects { programs[host]?.farReader?.yield(envelope) }
        let effects = batch.effects.filter { if case .far = $0 { false } else { true } }
        guard !effects.isEmpty else { return }
        workCount += 1
        programs[host]?.isAtWork = true
        programs[host]?.waiting = nil
        waiting.resume(returning: MeshBatch(nodeID: batch.node, isBusy: batch.isBusy, effects: effects))
    }
}
