import Bytes
import MeshCore

/// The questions to one hub that are not answered, by number.
///
/// Numbers are never used again, so a late answer is none to a later question.
struct Questions<Topic: Sendable>: Sendable {
    private var topics: [UInt64: (topic: Topic, until: MeshInstant)] = [:]
    /// The open numbers; all questions have the same time, so the least number ends first.
    private var numbers = SortedSet<UInt64>()
    private var lastNumber: UInt64 = 0

    /// The end of the time of the first question; nil if none is open.
    var deadline: MeshInstant? { numbers.first.flatMap { topics[$0]?.until } }

    /// Reserves the numbers of a job, and returns the first.
    mutating func reserve(_ count: UInt64) -> UInt64 {
        defer { lastNumber += count }
        return lastNumber + 1
    }

    /// Opens a question, and returns its number.
    mutating func open(_ topic: Topic, now: MeshInstant) -> UInt64 {
        lastNumber += 1
        topics[lastNumber] = (topic, now.advanced(by: GatewayLimits.answerTime))
        numbers.insert(lastNumber)
        return lastNumber
    }

    /// Returns the question with a number, if it is open.
    subscript(number: UInt64) -> Topic? { topics[number]?.topic }

    /// Closes a question.
    mutating func close(_ number: UInt64) {
        guard topics.removeValue(forKey: number) != nil else { return }
        numbers.remove(number)
    }

    /// Closes and returns a question whose time is over, with its number; nil if there is none.
    mutating func expire(now: MeshInstant) -> (number: UInt64, topic: Topic)? {
        guard let number = numbers.first, let question = topics[number], question.until <= now else { return nil }
        close(number)
        return (number, question.topic)
    }

    /// Closes all questions.
    mutating func closeAll() {
        topics = [:]
        numbers = SortedSet()
    }
}
