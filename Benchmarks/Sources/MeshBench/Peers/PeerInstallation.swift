import Foundation

/// The folder of the bench's own in which it installs peers by name: Debian's packages unpacked, and a Python venv.
///
/// Nothing is installed outside it.
struct PeerInstallation: Sendable {
    let folder: URL

    private var root: URL { folder.appending(path: "root") }
    private var python: URL { folder.appending(path: "venv/bin/python") }

    init(folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    /// Installs a peer, unless it is there already, and compiles its driver.
    func install(_ driver: PeerDriver) throws -> InstalledPeer {
        let versions = try driver.debianPackages.map(unpack) + installPython(driver.pythonPackages)
        let program = driver.isCompiled ? [try compile(driver)] : [python.path, driver.file.path]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return InstalledPeer(
            driver: driver,
            sheet: driver.sheet(version: versions.joined(separator: ", ")),
            command: ["PATH=\(root.path)/usr/sbin:\(root.path)/usr/bin:\(path)"] + program,
            folder: folder.appending(path: "state")
        )
    }

    /// Unpacks one of Debian's packages; returns its name and version.
    private func unpack(_ package: String) throws -> String {
        if let file = try archive(of: package) { return try version(of: file, package) }
        let remedy = "it needs Debian, its packages and `apt-get update`"
        let download = ["apt-get", "--quiet", "-o", "APT::Sandbox::User=root", "download", package]
        Progress.say("getting \(package)")
        do {
            try Tool.run(download, in: folder, otherwise: remedy)
        } catch {
            try Tool.run(["apt-get", "update"], otherwise: remedy)
            try Tool.run(download, in: folder, otherwise: remedy)
        }
        guard let file = try archive(of: package) else { throw BenchFailure("\(package) did not arrive: \(remedy)") }
        try Tool.run(["dpkg-deb", "-x", file.path, root.path], otherwise: remedy)
        return try version(of: file, package)
    }

    private func archive(of package: String) throws -> URL? {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.first { $0.hasPrefix(package + "_") && $0.hasSuffix(".deb") }.map { folder.appending(path: $0) }
    }

    private func version(of file: URL, _ package: String) throws -> String {
        let version = try Tool.run(["dpkg-deb", "-f", file.path, "Version"], otherwise: "it needs dpkg")
        return "\(package) \(version.trimmingCharacters(in: .whitespacesAndNewlines))"
    }

    /// Installs packages of PyPI; returns their names and versions.
    private func installPython(_ packages: [String]) throws -> [String] {
        guard !packages.isEmpty else { return [] }
        if !FileManager.default.fileExists(atPath: python.path) {
            let venv = folder.appending(path: "venv").path
            try Tool.run(["python3", "-m", "venv", venv], otherwise: "it needs Python 3 with venv")
        }
        let pip = [python.path, "-m", "pip", "--disable-pip-version-check"]
        Progress.say("getting \(packages.joined(separator: ", "))")
        let remedy = "it needs PyPI, with a wheel for this Python and system"
        try Tool.run(pip + ["install", "--quiet", "--only-binary", ":all:"] + packages, otherwise: remedy)
        return try packages.map { package in
            let text = try Tool.run(pip + ["show", package], otherwise: remedy)
            let line = text.split(separator: "\n").first { $0.hasPrefix("Version: ") }
            return "\(package) \(line?.dropFirst("Version: ".count) ?? "unknown")"
        }
    }

    private func compile(_ driver: PeerDriver) throws -> String {
        let program = folder.appending(path: driver.file.deletingPathExtension().lastPathComponent).path
        let remedy = "it needs a C compiler"
        let triple = try Tool.run(["cc", "-print-multiarch"], otherwise: remedy)
        let libraries = "\(root.path)/usr/lib/\(triple.trimmingCharacters(in: .whitespacesAndNewlines))"
        let paths = ["-I\(root.path)/usr/include", "-L\(libraries)"]
        let loading = ["--disable-new-dtags", "-rpath,\(libraries)", "-rpath-link,\(libraries)"].map { "-Wl,\($0)" }
        let command = ["cc", "-O2", driver.file.path, "-o", program] + paths + loading + driver.libraries
        try Tool.run(command, otherwise: remedy)
        return program
    }
}
