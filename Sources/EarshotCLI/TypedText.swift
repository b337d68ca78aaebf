import ArgumentParser
import Foundation

/// A text that no other user of the machine can read: from standard input or a file instead of an argument.
enum TypedText {
    /// Units: bytes of the longest text that is read.
    static let maximumByteCount = 1_048_576

    /// Returns the argument, or reads standard input for `-`.
    ///
    /// - Throws: `CommandFailure` if the text is too long or is not UTF-8.
    static func read(_ argument: String) throws -> String {
        argument == "-" ? try read(FileHandle.standardInput, "Standard input") : argument
    }

    /// Reads the text from the options, the arguments or standard input; nil if none of them gives one.
    ///
    /// - Parameter takesInput: Whether standard input is read if no argument is given and it is no terminal.
    static func given(_ argument: String?, file: String?, takesInput: Bool) throws -> String? {
        if let file { return try contents(of: file) }
        if let argument { return try read(argument) }
        guard takesInput, isatty(0) == 0 else { return nil }
        let text = try read("-")
        return text.isEmpty ? nil : text
    }

    /// Reads a text that is required, from an argument, a file or standard input.
    static func needed(_ argument: String?, file: String?) throws -> String {
        guard let text = try given(argument, file: file, takesInput: true) else {
            throw CommandFailure(.usage, "Give a text, `-` for standard input, or a --text-file.")
        }
        return text
    }

    private static func contents(of file: String) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: file) else {
            throw CommandFailure(.badData, "\(file) cannot be read.")
        }
        return try read(handle, file)
    }

    /// Reads to the end and drops the last line feed.
    private static func read(_ handle: FileHandle, _ name: String) throws -> String {
        var data = Data()
        while data.count <= maximumByteCount, let part = try handle.read(upToCount: 65_536), !part.isEmpty {
            data += part
        }
        guard data.count <= maximumByteCount else {
            throw CommandFailure(.badData, "\(name) has more than \(maximumByteCount) bytes; send it as a --file.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.badData, "\(name) is not UTF-8; send it as a --file.")
        }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// The option that names a file with the text.
struct TextFileArguments: ParsableArguments {
    @Option(
        name: .customLong("text-file"),
        help: "Read the text from a file, so that other users of the machine cannot see it."
    )
    var file: String?
}
