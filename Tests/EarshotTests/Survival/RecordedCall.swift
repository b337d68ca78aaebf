#if os(Linux)
    import Foundation

    /// One call of a process that changes files, or that makes the disk keep earlier changes.
    enum RecordedCall {
        /// A file or folder with this number gets a name in a folder.
        case name(folder: Int, String, Int)
        case forget(folder: Int, String)
        case rename(folder: Int, String, toFolder: Int, String)
        case write(file: Int, at: Int, [UInt8])
        case cut(file: Int, to: Int)
        /// Every change of a file or folder before the call of this index is on the disk.
        case sync(Int, before: Int)
    }

    /// The output of `strace` for one process, as calls on numbered files and folders.
    ///
    /// Number 0 is the observed folder, and the record leaves out everything outside of it. A call counts from its end.
    /// A call that waits for the disk covers the calls that had ended at its start.
    struct CallRecord {
        private(set) var calls: [RecordedCall] = []
        private(set) var folders: Set<Int> = [0]
        private let root: String
        private var descriptors: [Int: Int] = [:]
        /// The numbers by path from the root, with the present names.
        private var numbers: [String: Int]
        private var nextNumber: Int
        /// The unfinished calls of threads: the line so far, and the number of calls that had ended.
        private var begun: [Substring: (line: String, count: Int)] = [:]

        /// Reads a record.
        ///
        /// - Parameters:
        ///   - root: The folder, as the process names it.
        ///   - numbers: The files and folders that are in the folder at the beginning, by their paths in it.
        init(_ path: String, root: String, numbers: [String: Int], folders: Set<Int>) throws {
            self.root = root
            self.numbers = numbers
            self.folders = folders
            nextNumber = (numbers.values.max() ?? 0) + 1
            for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") { read(line) }
        }

        private mutating func read(_ line: Substring) {
            guard let space = line.firstIndex(of: " ") else { return }
            let thread = line[..<space]
            let text = line[space...].drop { $0 == " " }
            if text.hasPrefix("<..."), let end = text.range(of: " resumed>"),
                let start = begun.removeValue(forKey: thread)
            {
                take(start.line + text[end.upperBound...], count: start.count)
            } else if let end = text.range(of: " <unfinished ...>") {
                begun[thread] = (String(text[..<end.lowerBound]), calls.count)
            } else {
                take(String(text), count: calls.count)
            }
        }

        private mutating func take(_ line: String, count: Int) {
            guard let open = line.firstIndex(of: "("), let close = line.range(of: ") ", options: .backwards),
                let equals = line.range(of: "= ", options: .backwards)
            else { return }
            let result = Int(line[equals.upperBound...].prefix { $0 == "-" || $0.isNumber }) ?? -1
            guard result >= 0 else { return }
            let words = line[line.index(after: open)..<close.lowerBound].split(separator: ",").map {
                $0.drop { $0 == " " }
            }
            let name = line[..<open]
            // On a processor that only has the call with a folder's descriptor, the descriptor comes before the path.
            let paths = words.filter { $0.hasPrefix("\"") }.map {
                path(String(decoding: Self.bytes($0), as: UTF8.self))
            }
            switch name {
            case "openat": opened(paths[0], words[2], result)
            case "pwrite64":
                guard let file = number(words[0]), let offset = Int(words[3]) else { return }
                calls.append(.write(file: file, at: offset, Array(Self.bytes(words[1]).prefix(result))))
            case "ftruncate":
                guard let file = number(words[0]), let size = Int(words[1]) else { return }
                calls.append(.cut(file: file, to: size))
            case "fsync", "fdatasync":
                if let file = number(words[0]) { calls.append(.sync(file, before: count)) }
            case "rename", "renameat": renamed(paths[0], paths[1])
            case "mkdir", "mkdirat": if let path = paths[0] { make(path, isFolder: true) }
            default: if let path = paths[0] { forget(path) }
            }
        }

        /// Returns the path from the root; nil for a path outside of it.
        private func path(_ path: String) -> String? {
            guard path == root || path.hasPrefix(root + "/") else { return nil }
            return path.dropFirst(root.count).split(separator: "/").joined(separator: "/")
        }

        private func number(_ descriptor: Substring) -> Int? { Int(descriptor).flatMap { descriptors[$0] } }

        private mutating func opened(_ path: String?, _ flags: Substring, _ descriptor: Int) {
            descriptors[descriptor] = nil
            guard let path else { return }
            if number(of: path) == nil {
                guard flags.contains("O_CREAT") else { return }
                make(path, isFolder: false)
            }
            descriptors[descriptor] = number(of: path)
            if flags.contains("O_TRUNC"), let file = number(of: path) { calls.append(.cut(file: file, to: 0)) }
        }

        private func number(of path: String) -> Int? { path.isEmpty ? 0 : numbers[path] }

        private static func split(_ path: String) -> (folder: String, name: String) {
            guard let slash = path.lastIndex(of: "/") else { return ("", path) }
            return (String(path[..<slash]), String(path[path.index(after: slash)...]))
        }

        private mutating func make(_ path: String, isFolder: Bool) {
            let (folder, name) = Self.split(path)
            guard let folder = number(of: folder) else { return }
            numbers[path] = nextNumber
            if isFolder { folders.insert(nextNumber) }
            calls.append(.name(folder: folder, name, nextNumber))
            nextNumber += 1
        }

        private mutating func forget(_ path: String) {
            let (folder, name) = Self.split(path)
            guard let folder = number(of: folder), numbers.removeValue(forKey: path) != nil else { return }
            calls.append(.forget(folder: folder, name))
        }

        private mutating func renamed(_ old: String?, _ new: String?) {
            guard let old, let new, let moved = numbers.removeValue(forKey: old) else { return }
            numbers[new] = moved
            let (from, to) = (Self.split(old), Self.split(new))
            guard let folder = number(of: from.folder), let other = number(of: to.folder) else { return }
            calls.append(.rename(folder: folder, from.name, toFolder: other, to.name))
        }

        /// Decodes the bytes of a text of `\x..`.
        private static func bytes(_ quoted: Substring) -> [UInt8] {
            func digit(_ byte: UInt8) -> UInt8 { byte <= 57 ? byte - 48 : byte - 87 }
            return quoted.utf8.withContiguousStorageIfAvailable { text in
                stride(from: 1, to: text.count - 3, by: 4).map { digit(text[$0 + 2]) << 4 | digit(text[$0 + 3]) }
            } ?? []
        }
    }
#endif
