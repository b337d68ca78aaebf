#if os(Linux)
    import Foundation

    /// An `strace` of this process.
    ///
    /// It can kill the process between two system calls.
    struct SystemCallTracer {
        /// The reason why tests that need the tracer are skipped.
        static let need = "needs strace, and the right to trace processes"

        static let isPossible: Bool = {
            let trial = Process()
            trial.executableURL = URL(filePath: "/usr/bin/strace")
            trial.arguments = ["-f", "-o", "/dev/null", "true"]
            guard (try? trial.run()) != nil else { return false }
            trial.waitUntilExit()
            return trial.terminationStatus == 0
        }()

        /// The calls that change files or wait for the disk.
        ///
        /// Not every processor has all of them.
        static let calls = [
            "openat", "pwrite64", "ftruncate", "fsync", "fdatasync", "rename", "renameat", "unlink", "unlinkat",
            "mkdir",
            "mkdirat", "rmdir",
        ]

        private let process = Process()

        /// Starts a tracer that kills this process when one of its threads begins the n-th call of this name.
        init(killingAt stop: Trial.Stop) throws {
            try attach([
                "-o", "/dev/null", "-e", "trace=\(stop.call)",
                "-e", "inject=\(stop.call):signal=KILL:when=\(stop.number)",
            ])
        }

        /// Starts a tracer that writes all calls that change files to a file, with their bytes in hexadecimal digits.
        ///
        /// Each call is in the file before the call returns.
        init(recordingTo path: String) throws {
            let calls = Self.calls.map { "?" + $0 }.joined(separator: ",")
            try attach(["-o", path, "-xx", "-s", "2000000", "-e", "signal=none", "-e", "trace=\(calls)"])
        }

        private func attach(_ options: [String]) throws {
            process.executableURL = URL(filePath: "/usr/bin/strace")
            process.arguments = ["-f", "-p", "\(ProcessInfo.processInfo.processIdentifier)"] + options
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            // `strace` prints this line once it is attached to all threads.
            let line = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            guard line.contains("attached") else { throw Failure(reason: line) }
        }

        struct Failure: Error {
            let reason: String
        }
    }
#endif
