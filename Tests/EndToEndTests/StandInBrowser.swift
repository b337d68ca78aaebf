import Foundation
import Testing

/// A program in the place of `xdg-open`, which opens nothing and tells how it was called.
final class StandInBrowser: Sendable {
    /// How it was called.
    struct Call: Sendable {
        let arguments: String
        /// The permissions of the file that it was given.
        let mode: String
        /// Shape: a set of signals in hexadecimal digits.
        let blockedSignals: String
        /// What stands in the file.
        let file: String
    }

    /// The folders that programs are looked for in, with its own first.
    let path: String
    private let folder: TemporaryFolder
    private let calls: LineProcess

    init() throws {
        folder = try TemporaryFolder()
        let (pipe, program) = (folder.url.appending(path: "calls"), folder.url.appending(path: "xdg-open"))
        try #require(mkfifo(pipe.path, 0o600) == 0)
        // Not a shell: those hold signals off while they start others.
        let script = """
            #!/usr/bin/env python3
            import os, re, sys
            blocked = re.search(r"SigBlk:\\s*(\\w+)", open("/proc/self/status").read())[1]
            mode = oct(os.stat(sys.argv[1]).st_mode & 0o777)[2:]
            file = open(sys.argv[1]).read().replace("\\n", " ")
            open("\(pipe.path)", "w").write("\\n".join([" ".join(sys.argv[1:]), mode, blocked, file, ""]))

            """
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
        path = "\(folder.url.path):\(ProcessInfo.processInfo.environment["PATH", default: ""])"
        calls = try LineProcess(["cat"], input: pipe)
    }

    deinit { calls.stop() }

    /// The next call.
    func nextCall() async throws -> Call {
        var lines: [String] = []
        while lines.count < 4 { lines.append(try #require(await calls.next())) }
        return Call(arguments: lines[0], mode: lines[1], blockedSignals: lines[2], file: lines[3])
    }
}
