#if os(Linux)
    import Foundation
    import NIOCore
    import NIOPosix

    /// A network namespace, and an event loop whose thread runs in it.
    ///
    /// A socket belongs to the namespace of the thread that makes it, so a node on that loop is a separate host. A thread
    /// also hands its namespace on to the threads that it starts, and the loop may start one of those that run tasks.
    /// Tests that make namespaces therefore run in a process of their own: in this one, sockets and programs of other
    /// tests would now and then be in a namespace that hears nobody.
    struct Namespace: Sendable {
        let name: String
        private let group: MultiThreadedEventLoopGroup

        var eventLoop: any EventLoop { group.next() }

        /// Whether this machine allows the tests to make namespaces.
        static func areAvailable() async -> Bool {
            let name = randomName()
            guard geteuid() == 0, (try? await runCommand("ip", "netns", "add", name)) != nil else { return false }
            return (try? await runCommand("ip", "netns", "del", name)) != nil
        }

        private static func randomName() -> String { "earshot-\(UInt32.random(in: 0...UInt32.max))" }

        init() async throws {
            name = Self.randomName()
            group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            do {
                try await runCommand("ip", "netns", "add", name)
                try await group.next().submit { [name] in
                    let descriptor = open("/run/netns/\(name)", O_RDONLY)
                    defer { close(descriptor) }
                    guard setns(descriptor, 0) == 0 else { throw CommandFailure(command: "setns", status: errno) }
                }.get()
                try await ip("link", "set", "lo", "up")
            } catch {
                await remove()
                throw error
            }
        }

        func remove() async {
            try? await group.shutdownGracefully()
            try? await runCommand("ip", "netns", "del", name)
        }

        /// Runs `ip` in the namespace.
        func ip(_ arguments: String...) async throws {
            try await runCommand(["ip", "-n", name] + arguments)
        }

        /// Drops a share of the UDP datagrams that arrive.
        func lose(percent: Int) async throws {
            guard percent > 0 else { return }
            try await filter("loss", "input", "meta l4proto udp numgen random mod 100 < \(percent) drop")
        }

        /// Adds a table `name` with one rule to the namespace's firewall.
        func filter(_ name: String, _ hook: String, _ rule: String) async throws {
            let chain = "add chain inet \(name) drops { type filter hook \(hook) priority 0; }"
            try await run("nft", "add table inet \(name); \(chain); add rule inet \(name) drops \(rule)")
        }

        /// Removes a table from the namespace's firewall.
        func unfilter(_ name: String) async throws {
            try await run("nft", "delete table inet \(name)")
        }

        /// Runs any command in the namespace.
        func run(_ arguments: String...) async throws {
            try await runCommand(["ip", "netns", "exec", name] + arguments)
        }
    }

    /// Connects two namespaces by a cable: the interface `name` in each, up, with the given addresses.
    func connect(
        _ left: Namespace,
        _ right: Namespace,
        by name: String = "cable",
        addresses: (String, String)? = ("10.77.0.1/24", "10.77.0.2/24")
    ) async throws {
        try await left.ip("link", "add", name, "type", "veth", "peer", "name", name, "netns", right.name)
        if let addresses {
            try await left.ip("address", "add", addresses.0, "dev", name)
            try await right.ip("address", "add", addresses.1, "dev", name)
        }
        try await left.ip("link", "set", name, "up")
        try await right.ip("link", "set", name, "up")
    }

    /// Connects hosts by cables, each a separate segment: number n is the interface `cable<n>` at both ends.
    func connect(_ hosts: [Namespace], along edges: [(Int, Int)]) async throws {
        for (number, edge) in edges.enumerated() {
            let addresses = ("10.77.\(number).1/24", "10.77.\(number).2/24")
            try await connect(hosts[edge.0], hosts[edge.1], by: "cable\(number)", addresses: addresses)
        }
    }

    /// Makes namespaces for `body` and removes them afterwards, even after an error.
    func withNamespaces(_ count: Int, _ body: ([Namespace]) async throws -> Void) async throws {
        var made: [Namespace] = []
        do {
            for _ in 0..<count { made.append(try await Namespace()) }
            try await body(made)
        } catch {
            for namespace in made { await namespace.remove() }
            throw error
        }
        for namespace in made { await namespace.remove() }
    }

    @_silgen_name("setns") private func setns(_ descriptor: CInt, _ type: CInt) -> CInt

    struct CommandFailure: Error {
        let command: String
        let status: Int32
    }

    private func runCommand(_ arguments: String...) async throws {
        try await runCommand(arguments)
    }

    private func runCommand(_ arguments: [String]) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        guard status == 0 else { throw CommandFailure(command: arguments.joined(separator: " "), status: status) }
    }
#endif
