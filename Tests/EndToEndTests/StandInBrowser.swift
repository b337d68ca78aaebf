import Foundation
import Testing

/// A program in the place of `xdg-open`, which opens nothing and reports each call.
final class StandInBrowser: Sendable {
    /// One call of the program.
    struct Call: Sendable {
        let arguments: String
        /// The permissions of the file in the arguments.
        let mode: String
        /// Shape: a set of signals in hexadecimal digits.
        let blockedSignals: String
        /// The content of the file.
        let file: String
    }

    /// The search path of programs, with the stand-in's folder first.
    let path: String
    private let folder: TemporaryFolder
    private let calls: LineProcess

    init() throws {
        folder = try TemporaryFolder()
        let (pipe, program) = (folder.url.appending(path: "calls"), folder.url.appending(path: "xdg-open"))
        try #require(mkfifo(pipe.path, 0o600) == 0)
        // The script is not for a shell, since shells block signals while they start processes.
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

    /// Waits for the next call.
    func nextCall() async throws -> Call {
        var lines: [String] = []
        while lines.count < 4 { lines.append(try #require(await calls.next())) }
        return Call(arguments: lines[0], mode: lines[1], blockedSignals: lines[2], file: lines[3])
    }
}
