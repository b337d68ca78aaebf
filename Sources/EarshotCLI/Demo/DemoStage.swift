import EarshotRPC
import Foundation

/// The environment of the demo: three homes in a temporary directory, and two discovery groups on the loopback
/// interface.
actor DemoStage {
    nonisolated let directory: URL
    /// The group that Alice and the relay listen on.
    nonisolated let aliceGroup: String
    /// The group that Bob and the relay listen on.
    nonisolated let bobGroup: String
    private var nodes: [DemoNode] = []
    private var isClosed = false

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("earshot-demo-\(UUID().uuidString.prefix(8).lowercased())", isDirectory: true)
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        // Random groups keep two demos on one machine apart.
        let second = UInt8.random(in: 0...254)
        aliceGroup = Self.group(second)
        bobGroup = Self.group(second + 1)
    }

    /// The environment without the variables that would lead a node to another home.
    static let environment = ProcessInfo.processInfo.environment.filter {
        !["EARSHOT_HOME", Passphrase.variable].contains($0.key)
    }

    /// This executable.
    static func executable() throws -> URL {
        guard let url = Bundle.main.executableURL else {
            throw CommandFailure(.failed, "The path of this executable is unknown.")
        }
        return url
    }

    /// Returns the home of a node.
    nonisolated func home(_ name: String) -> URL {
        directory.appendingPathComponent(name.lowercased(), isDirectory: true)
    }

    /// Creates a home by `earshot init`.
    nonisolated func makeHome(_ name: String) async throws -> IdentityOutput {
        let process = Process()
        let output = Pipe()
        process.executableURL = try Self.executable()
        process.arguments = [
            "--home", home(name).path, "--json", "init", "--name", name, "--no-passphrase",
        ]
        process.environment = Self.environment
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let json = Array(output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(.failed, "No data directory could be created for \(name).")
        }
        return try RPCCoding.decode(IdentityOutput.self, from: json)
    }

    /// Starts a node on a home.
    func start(_ name: String, _ options: [String]) async throws -> DemoNode {
        let log = directory.appendingPathComponent("\(name.lowercased()).log")
        try Data().write(to: log)
        let node = try await DemoNode.start(name, home: home(name), ["--interface", Self.loopback] + options, log: log)
        nodes.append(node)
        if isClosed { await node.stop() }
        return node
    }

    /// Stops a node.
    func stop(_ node: DemoNode) async {
        nodes.removeAll { $0 === node }
        await node.stop()
    }

    /// Stops all nodes.
    func close() async {
        isClosed = true
        let all = nodes
        nodes = []
        for node in all { await node.stop() }
    }

    /// Returns the standard error of a node.
    nonisolated func log(_ name: String) -> String {
        let url = directory.appendingPathComponent("\(name.lowercased()).log")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }

    /// Removes all files of the demo.
    nonisolated func removeHomes() {
        try? FileManager.default.removeItem(at: directory)
    }

    #if os(Linux)
        private static let loopback = "lo"
    #else
        private static let loopback = "lo0"
    #endif

    private static func group(_ second: UInt8) -> String {
        "239.255.\(second).\(UInt8.random(in: 1...254)):\(UInt16.random(in: 20_000...30_000))"
    }
}
