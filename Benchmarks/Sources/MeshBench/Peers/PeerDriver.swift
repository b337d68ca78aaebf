import Foundation

/// The driver of a peer: one file, in C or Python, with a description in its first comment.
///
/// A line of the description is `peer: KEY = VALUE`; Peers/README.md names the keys.
struct PeerDriver: Sendable {
    /// A piece of work that a driver can do on command.
    enum Work: String {
        case trips
        case messages
        case file
        case group
        case idle
    }

    private static let prefix = "peer_"
    private static let mark = "peer: "

    let file: URL
    let name: String
    let beside: EarshotForm
    private let fields: [String: String]

    /// Finds the drivers of a folder.
    static func all(in folder: URL) throws -> [PeerDriver] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let drivers = names.filter { $0.hasPrefix(prefix) }.sorted()
        guard !drivers.isEmpty else {
            throw BenchFailure("\(folder.path) has no drivers: run this in Benchmarks, or name the folder by --drivers")
        }
        return try drivers.map { try PeerDriver(folder.appending(path: $0)) }
    }

    private init(_ file: URL) throws {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.range(of: Self.mark).map { line[$0.upperBound...].split(separator: " = ", maxSplits: 1) }
        }
        let pairs = lines.filter { $0.count == 2 }.map { (String($0[0]), String($0[1])) }
        fields = Dictionary(pairs) { $1 }
        guard let name = fields["name"], let beside = EarshotForm(rawValue: fields["beside"] ?? "") else {
            let file = file.lastPathComponent
            throw BenchFailure("\(file) lacks 'peer: name = …' or 'peer: beside = …' with a form of Earshot")
        }
        self.file = file
        self.name = name
        self.beside = beside
    }

    /// Debian's packages that it needs; the first ones are the peer itself.
    var debianPackages: [String] { words("debian") }
    /// The packages of PyPI that it needs.
    var pythonPackages: [String] { words("pypi") }
    /// The options of the linker, for a driver in C.
    var libraries: [String] { words("libraries") }
    /// Whether one process is both ends.
    var isAlone: Bool { fields["alone"] == "yes" }
    var isCompiled: Bool { file.pathExtension == "c" }

    func does(_ work: Work) -> Bool { words("work").contains(work.rawValue) }

    func sheet(version: String) -> ContenderSheet {
        let pairs = PeerTrait.allCases.map { ($0, fields[$0.rawValue] ?? "unknown") }
        return ContenderSheet(
            name: name,
            version: version,
            beside: beside,
            traits: Dictionary(pairs) { $1 },
            confirmation: fields["confirmation"] ?? "unknown"
        )
    }

    private func words(_ key: String) -> [String] {
        fields[key]?.split(separator: " ").map(String.init) ?? []
    }
}
