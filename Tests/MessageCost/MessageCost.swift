import Dispatch
import Earshot
import EarshotTesting
import Foundation

/// A program that sends messages in virtual time, so that an instruction counter can weigh them.
///
/// It runs the code of the library down to every datagram; only sockets and clocks are replaced. `Scripts/instructions`
/// runs it twice with different numbers of messages, and counts the difference.
@main
struct MessageCost {
    /// It is not asynchronous, because Valgrind cannot follow a main thread that ends before the process does.
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let shape = MessageShape(rawValue: arguments[1]), let count = Int(arguments[2]),
            count > 0
        else {
            let shapes = MessageShape.allCases.map(\.rawValue).joined(separator: "|")
            fail("usage: MessageCost \(shapes) COUNT", status: 64)
        }
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                let meeting = try await Meeting(shape)
                try await meeting.send(count)
                await meeting.end()
            } catch {
                fail("MessageCost: \(error)", status: 1)
            }
            end.signal()
        }
        end.wait()
    }

    private static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(status)
    }
}

/// The ways in which messages go.
enum MessageShape: String, CaseIterable {
    /// One message after the other, from each side in turn.
    case turns
    /// Many messages from one side at once.
    case bulk
    /// Many messages to a group of ten others at once.
    case group
    /// As `bulk`, with the sender's and the receiver's history on the disk, for profiles.
    case disk

    /// The number of nodes beside the sender.
    var receiverCount: Int { self == .group ? 10 : 1 }

    /// The number of messages that go at once.
    var window: Int { self == .turns ? 1 : 128 }
}
