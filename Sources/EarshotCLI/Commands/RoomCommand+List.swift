import ArgumentParser
import EarshotRPC
import Foundation

/// The list of rooms in a file.
///
/// Shape: the JSON of `room.export`, one value. Source: PROTOCOL §17.7.
extension RoomCommand {
    /// Units: bytes of the longest file that is read.
    private static let fileByteCount = 1_048_576

    /// Exports the list.
    struct Export: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export the list of your rooms: names, rules and ends.",
            discussion: """
                Nothing in the file opens a room or contains messages, but anybody who reads it learns the names of \
                your rooms. Ephemeral rooms are left out.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The new file; an existing file is never overwritten.") var file: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let list = try await caller.call(ExportRoomsCall())
                try write(try RPCCoding.encode(list) + [UInt8(ascii: "\n")])
                try console.result(list, ["The file \(file) lists \(list.rooms.count) of your rooms."])
            }
        }

        private func write(_ bytes: [UInt8]) throws {
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard descriptor >= 0 else {
                throw CommandFailure(.badData, "\(file) cannot be created: \(String(cString: strerror(errno))).")
            }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            do {
                try handle.write(contentsOf: Data(bytes))
                try handle.synchronize()
            } catch {
                unlink(file)
                throw CommandFailure(.failed, "\(file) cannot be written. Check the free space.")
            }
        }
    }

    /// Imports a list.
    struct Import: ConsoleCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import the list of rooms of a file of `room export`.",
            discussion: """
                `room list` shows these rooms as `left` until they end. Join one again with a code of its host, or \
                remove one with `room leave`.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The file of `room export`.") var file: String

        func perform(_ console: Console) async throws {
            let list = try read()
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(ImportRoomsCall(list))
                let words = reply.added == 1 ? "1 room is" : "\(reply.added) rooms are"
                let rest = list.rooms.count - reply.added
                try console.result(
                    reply,
                    [
                        "\(words) new in the list."
                            + (rest > 0 ? " \(rest) of the file are known already, or have ended." : "")
                    ]
                )
            }
        }

        private func read() throws -> RoomListReply {
            let limit = RoomCommand.fileByteCount
            guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: limit + 1)
            else {
                throw CommandFailure(.badData, "\(file) cannot be read.")
            }
            guard data.count <= limit, let list = try? RPCCoding.decode(RoomListReply.self, from: Array(data)) else {
                throw CommandFailure(.badData, "\(file) is not a list of rooms of `room export`.")
            }
            return list
        }
    }
}
