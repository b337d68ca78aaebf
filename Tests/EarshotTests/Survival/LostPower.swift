#if os(Linux)
    import Foundation
    import MeshCore

    /// A folder that the calls of a process have changed, and its state on a disk after a loss of power.
    ///
    /// Everything that the process waited for is there. Any part of the rest may be there: any changes of a folder, any
    /// writes of a file, and any sectors of a write.
    struct LostPower {
        /// The fate of the changes that the process did not wait for.
        enum Fate: CaseIterable {
            case allKept
            case allLost
            case namesKept
            case contentsKept
            case anyCall
            case anySector
        }

        /// The size of a write that a disk makes at once.
        ///
        /// Units: bytes.
        private static let sectorByteCount = 512

        private let record: CallRecord
        private var contents: [Int: [UInt8]]
        private var entries: [Int: [String: Int]]

        /// Takes the state of a folder before the calls, and the calls.
        ///
        /// They name the folder `root`.
        init(before folder: URL, record path: String, root: String) throws {
            contents = [:]
            entries = [0: [:]]
            var numbers: [String: Int] = ["": 0]
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
                let number = numbers.count
                numbers[path] = number
                let parent = path.split(separator: "/").dropLast().joined(separator: "/")
                entries[numbers[parent] ?? 0, default: [:]][String(path.split(separator: "/").last ?? "")] = number
                let file = folder.appending(path: path)
                if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                    entries[number] = [:]
                } else {
                    contents[number] = [UInt8](try Data(contentsOf: file))
                }
            }
            numbers[""] = nil
            record = try CallRecord(path, root: root, numbers: numbers, folders: Set(entries.keys))
        }

        /// The number of calls.
        var callCount: Int { record.calls.count }

        /// Whether the call of an index waits for the disk.
        ///
        /// A loss of power right before it can lose the most.
        func isWait(_ index: Int) -> Bool {
            if case .sync = record.calls[index] { true } else { false }
        }

        /// Makes the folder in a state that a loss of power before the call of an index can leave.
        ///
        /// - Parameter kept: The file that keeps all its bytes, because it is not part of the trial.
        func make(_ folder: URL, before end: Int, _ fate: Fate, keeping kept: String, seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            let synced = syncs(before: end)
            var state: State = (contents, entries)
            for (index, call) in record.calls[..<end].enumerated() {
                let isKept = index < synced[Self.target(of: call), default: 0]
                Self.apply(call, isKept ? .allKept : fate, &state, &random)
            }
            if let number = entries[0]?[kept] {
                state.entries[0]?[kept] = number
                state.contents[number] = contents(of: number, before: end)
            }
            try write(0, state, to: folder)
        }

        /// Returns for each file and folder the index of the call before which everything is on the disk.
        private func syncs(before end: Int) -> [Int: Int] {
            var synced: [Int: Int] = [:]
            for case .sync(let number, let before) in record.calls[..<end] {
                synced[number] = max(before, synced[number] ?? 0)
            }
            return synced
        }

        /// Returns everything that was written to a file.
        private func contents(of number: Int, before end: Int) -> [UInt8] {
            var state: State = (contents, entries)
            var random = SplitMix64(seed: 0)
            for call in record.calls[..<end] where Self.target(of: call) == number {
                Self.apply(call, .allKept, &state, &random)
            }
            return state.contents[number] ?? []
        }

        /// Returns the number of the file or folder that the process has to wait for so that a call is on the disk.
        private static func target(of call: RecordedCall) -> Int {
            switch call {
            case .name(let folder, _, _), .forget(let folder, _), .rename(let folder, _, _, _): folder
            case .write(let file, _, _), .cut(let file, _): file
            case .sync(let number, _): number
            }
        }

        private typealias State = (contents: [Int: [UInt8]], entries: [Int: [String: Int]])

        private static func apply(
            _ call: RecordedCall,
            _ fate: Fate,
            _ state: inout State,
            _ random: inout SplitMix64
        ) {
            let isAny = fate == .anyCall || fate == .anySector
            let isCallKept = !isAny || Bool.random(using: &random)
            switch call {
            case .sync: break
            case .name(let folder, let name, let number):
                if fate == .allLost || fate == .contentsKept || !isCallKept { return }
                state.entries[folder, default: [:]][name] = number
            case .forget(let folder, let name):
                if fate == .allLost || fate == .contentsKept || !isCallKept { return }
                state.entries[folder]?[name] = nil
            case .rename(let folder, let name, let other, let new):
                if fate == .allLost || fate == .contentsKept || !isCallKept { return }
                guard let number = state.entries[folder]?.removeValue(forKey: name) else { return }
                state.entries[other]?[new] = number
            case .cut(let file, let size):
                if fate == .allLost || fate == .namesKept || !isCallKept { return }
                let bytes = state.contents[file] ?? []
                state.contents[file] =
                    Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
            case .write(let file, let offset, let bytes):
                if fate == .allLost || fate == .namesKept || fate == .anyCall && !isCallKept { return }
                var part = 0
                while part < bytes.count {
                    let count = min(bytes.count - part, sectorByteCount - (offset + part) % sectorByteCount)
                    if fate != .anySector || Bool.random(using: &random) {
                        put(bytes[part..<part + count], at: offset + part, into: &state.contents[file, default: []])
                    }
                    part += count
                }
            }
        }

        private static func put(_ bytes: ArraySlice<UInt8>, at offset: Int, into content: inout [UInt8]) {
            if content.count < offset + bytes.count {
                content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
            }
            content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }

        private func write(_ number: Int, _ state: State, to url: URL) throws {
            guard record.folders.contains(number) else {
                _ = FileManager.default.createFile(
                    atPath: url.path,
                    contents: Data(state.contents[number] ?? []),
                    attributes: [.posixPermissions: 0o600]
                )
                return
            }
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            for (name, entry) in state.entries[number] ?? [:] {
                try write(entry, state, to: url.appending(path: name))
            }
        }
    }
#endif
