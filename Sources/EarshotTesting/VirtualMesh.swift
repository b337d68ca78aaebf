public import Earshot
public import Foundation
import MeshCore
public import MeshSimulation

/// A mesh in virtual time, for the tests of a program that uses `ChatNode`.
///
/// The nodes run the code of the library down to every datagram; only sockets and clocks are replaced. Time stands still
/// except in `run`, and a minute of it takes some milliseconds. Losses and delays follow from the seed. Keys and ids
/// are random in each run.
///
/// ```swift
/// let mesh = VirtualMesh(.line(3), seed: 7)
/// let alice = try await mesh.node("Alice", at: 0)
/// let carol = try await mesh.node("Carol", at: 2)
/// await mesh.run(for: .seconds(30))
/// try await alice.conversation(.direct(carol.identity.id)).send("Hello")
/// ```
///
/// Homes in memory and on the disk work alike. The mesh itself keeps nothing on the disk, so a node that stops forgets
/// the envelopes that it carried for others.
public struct VirtualMesh: Sendable {
    /// The longest part of virtual time that passes between two turns of the program's own tasks.
    private static let step = Duration.milliseconds(1)
    /// The number of turns that the program's own tasks get after each part.
    private static let turnCount = 8

    private let network: VirtualNetwork

    /// Makes a mesh without nodes.
    ///
    /// - Parameters:
    ///   - topology: The hosts, and the segments on which they hear each other.
    ///   - seed: The seed of all losses and delays.
    ///   - quality: The losses, delays and rates of every segment.
    ///   - start: The time of the wall clock at the beginning.
    public init(
        _ topology: Topology,
        seed: UInt64 = 1,
        quality: SegmentQuality = SegmentQuality(),
        startingAt start: Date = Date(timeIntervalSince1970: 1_800_000_000)
    ) {
        network = VirtualNetwork(SimNet(topology, seed: seed, quality: quality), start: start)
    }

    // MARK: - Nodes

    /// Makes a node in memory that takes part in the mesh.
    ///
    /// - Parameters:
    ///   - name: The nickname of the node's user.
    ///   - host: The number of the host, from 0; it has no other node that runs.
    ///   - configuration: The node's settings; those for sockets have no effect.
    /// - Throws: `badName`, or `meshUnavailable` if a node runs at the host.
    public func node(
        _ name: String,
        at host: Int,
        _ configuration: ChatConfiguration = ChatConfiguration()
    ) async throws(ChatError) -> ChatNode {
        let node = try await ChatNode.create(name: name, self.configuration(configuration, at: host))
        try await node.start()
        return node
    }

    /// Returns settings with which `ChatNode.open`, `create` or `restore` make a node of this mesh.
    ///
    /// - Parameters:
    ///   - configuration: The settings otherwise.
    ///   - host: The number of the host, from 0.
    public func configuration(_ configuration: ChatConfiguration = ChatConfiguration(), at host: Int)
        -> ChatConfiguration
    {
        precondition(network.hostNumbers.contains(host), "a host of the topology")
        var configuration = configuration
        configuration.environment = VirtualEnvironment(network: network, host: host)
        return configuration
    }

    // MARK: - The air

    /// Attaches a host to a segment, or detaches it.
    public func connect(_ host: Int, to segment: Int, _ isConnected: Bool = true) {
        network.connect(host, to: segment, isConnected)
    }

    /// Changes the losses, delays and rates of a segment.
    public func setQuality(_ quality: SegmentQuality, of segment: Int) {
        network.setQuality(quality, of: segment)
    }

    /// Returns the traffic that a host has sent since the beginning.
    public func sentTraffic(of host: Int) -> SimTraffic { network.sentTraffic(of: host) }

    // MARK: - Time

    /// The present time of the wall clock of all nodes.
    public var now: Date { network.date }

    /// Lets time pass; returns once the nodes have handled everything that happened in it.
    ///
    /// One task may run a mesh at a time.
    public func run(for duration: Duration) async {
        let end = network.now.advanced(by: duration)
        while await network.advance(until: end) {}
    }

    /// Lets time pass until a condition holds; returns false if it does not hold within the limit.
    ///
    /// The condition is asked once in a millisecond of virtual time at most, after the program's own tasks had a turn.
    @discardableResult
    public func run(
        for limit: Duration = .seconds(60),
        until condition: () async throws -> Bool
    ) async rethrows -> Bool {
        let end = network.now.advanced(by: limit)
        while true {
            await network.settle()
            for _ in 0..<Self.turnCount { await Task.yield() }
            if try await condition() { return true }
            guard network.now < end else { return false }
            await run(for: min(Self.step, network.now.duration(to: end)))
        }
    }
}
