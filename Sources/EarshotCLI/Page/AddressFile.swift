import Foundation

/// The file by which a browser is sent to the page.
///
/// The address opens the page to whoever has it first, and what a program is started with all users of the machine can
/// see. So the browser is started with the path of a file that only its owner can read, and that is gone once the address
/// has been used.
struct AddressFile: Sendable {
    private let url: URL

    init(in directory: HomeDirectory) {
        url = directory.url.appendingPathComponent("page.html")
    }

    /// Opens an address in the user's browser.
    ///
    /// - Throws: What the disk or the system refuses.
    func open(_ address: String) throws {
        remove()
        let html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)"><title>Earshot</title>
            <p><a href="\(address)">Earshot</a></p></html>

            """
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: url.path, contents: Data(html.utf8), attributes: attributes) else {
            throw CommandFailure(.failed, "\(url.path) cannot be written.")
        }
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

    /// Takes the file away; that there is none is no error.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
