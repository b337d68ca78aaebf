import ChatCrypto
import Earshot
import Foundation
import MeshTransport

/// The file that leads a browser to the page.
///
/// The address opens the page to its first user, and all users of the machine can see the arguments of a program. So
/// the browser is started with the path of a file that only its owner can read, and that is removed once the address
/// has been used. Sandboxed browsers read no hidden directory, and some of them only downloads. So the file lies among
/// the downloads or in the user's directory, else in the Earshot home, under a name that cannot be guessed; a link in
/// the home tells the node its path.
struct AddressFile: Sendable {
    private let link: URL
    private let folders: [URL]

    init(in directory: HomeDirectory, environment: [String: String] = ProcessInfo.processInfo.environment) {
        link = directory.url.appendingPathComponent("page.link")
        let files = FileManager.default
        let user =
            environment["HOME"].map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? files.homeDirectoryForCurrentUser
        let downloads = files.urls(for: .downloadsDirectory, in: .userDomainMask)
        folders = (downloads + [user]).filter(Self.isUsable) + [directory.url]
    }

    /// Whether a sandboxed browser may read a directory, and no other user can replace a file in it.
    static func isUsable(_ folder: URL) -> Bool {
        guard !folder.standardizedFileURL.pathComponents.contains(where: { $0.hasPrefix(".") }) else { return false }
        var status = stat()
        guard stat(folder.path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o002 == 0
    }

    /// Opens an address in the user's browser.
    ///
    /// - Throws: The error of the disk or the system.
    func open(_ address: String) throws {
        remove()
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)"><title>Earshot</title>
            <p><a href="\(address)">Earshot</a></p></html>

            """
        let url = try write(Data(html.utf8))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        #if os(macOS)
            process.arguments = ["open", url.path]
        #else
            process.arguments = ["xdg-open", url.path]
        #endif
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EARSHOT_") }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runHeedingSignals()
    }

    /// Removes the file; a missing file is no error.
    func remove() {
        if let url { try? FileManager.default.removeItem(at: url) }
        try? FileManager.default.removeItem(at: link)
    }

    /// Waits until a browser has used the address.
    ///
    /// - Returns: Whether that happened within the time.
    func isUsed(within time: Duration) async -> Bool {
        let end = ContinuousClock.now.advanced(by: time)
        while let url, FileManager.default.fileExists(atPath: url.path) {
            guard ContinuousClock.now < end, (try? await Task.sleep(for: Self.pause)) != nil else { return false }
        }
        return true
    }

    /// The file that the link in the home names; nil for none.
    private var url: URL? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link.path) else { return nil }
        let url = URL(filePath: path)
        let name = url.lastPathComponent
        return name.hasPrefix(Self.prefix) && name.hasSuffix(Self.suffix) ? url : nil
    }

    /// Writes the file into the first folder that accepts it, and creates the link to it.
    private func write(_ html: Data) throws -> URL {
        for folder in folders {
            let url = folder.appendingPathComponent(Self.prefix + randomBytes(16).hex + Self.suffix)
            let descriptor = Foundation.open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: url.path)
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: html)
            return url
        }
        throw CommandFailure(.failed, "No file for the browser can be written.")
    }

    private static let prefix = "earshot-"
    private static let suffix = ".html"
    /// The pause between two checks whether the file is gone.
    private static let pause = Duration.milliseconds(100)
}
