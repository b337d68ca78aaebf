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
    struct Export: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write the list of your rooms to a file: names, rules and ends.",
            discussion: """
                Nothing in the file opens a room or tells what was said; but who reads it knows what your rooms are called. \
                Rooms that nobody is to keep anything of are left out.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A file that is not there yet.") var file: String

        func perform(_ console: Console) async throws {
            try await HomeAccess(global, console).withNode { caller in
                let list = try await caller.call(ExportRoomsCall())
                try write(try RPCCoding.encode(list) + [UInt8(ascii: "\n")])
                try console.result(list, ["\(list.rooms.count) of your rooms are listed in \(file)."])
            }
        }

        private func write(_ bytes: [UInt8]) throws {
            let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard descriptor >= 0 else {
                throw CommandFailure(.badData, "\(file) cannot be made: \(String(cString: strerror(errno))).")
            }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            do {
                try handle.write(contentsOf: Data(bytes))
                try handle.synchronize()
            } catch {
                unlink(file)
                throw CommandFailure(.failed, "\(file) cannot be written: is the disk full?")
            }
        }
    }

    /// Imports a list.
    struct Import: FaceCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "List the rooms of a file that `room export` has written.",
            discussion: """
                They stand as `left` in `room list` until their time is over; join one again by a code of its host. \
                `room leave` takes one out.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The file.") var file: String

        func perform(_ console: Console) async throws {
            let list = try read()
            try await HomeAccess(global, console).withNode { caller in
                let reply = try await caller.call(ImportRoomsCall(list))
                let words = reply.added == 1 ? "1 room is" : "\(reply.added) rooms are"
                let rest = list.rooms.count - reply.added
                try console.result(
                    reply,
                    ["\(words) new in the list." + (rest > 0 ? " \(rest) of the file are known, or over." : "")]
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
                throw CommandFailure(.badData, "\(file) is no list of rooms as `room export` writes it.")
            }
            return list
        }
    }
}
