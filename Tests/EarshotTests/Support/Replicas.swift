import ChatCrypto
import Earshot
import MeshCore
import Testing

@testable import ChatCore

/// Copies of one state that apply the same operations, each in its own order, some twice, and that merge with each
/// other.
///
/// The result must be the same everywhere. All randomness comes from the seed.
struct Replicas<State: Equatable, Operation> {
    let empty: State
    let apply: (inout State, Operation) -> Void
    let merge: (inout State, State) -> Void

    /// Checks one schedule.
    ///
    /// Returns the state that all copies ended with.
    @discardableResult
    func check(_ operations: [Operation], _ random: inout SplitMix64, _ hint: String) -> State {
        var first = empty
        for operation in operations { apply(&first, operation) }
        var second = empty
        for operation in Self.disordered(operations, &random) { apply(&second, operation) }
        #expect(first == second, "another order, \(hint)")

        // Each copy applies a part, and the parts together are everything. The copies then merge at random, until all
        // have merged.
        let count = Int.random(in: 2...5, using: &random)
        var copies = [State](repeating: empty, count: count)
        for operation in Self.disordered(operations, &random) {
            apply(&copies[Int.random(in: 0..<count, using: &random)], operation)
        }
        for _ in 0..<count {
            let (from, into) = (Int.random(in: 0..<count, using: &random), Int.random(in: 0..<count, using: &random))
            merge(&copies[into], copies[from])
        }
        var left = empty
        for copy in copies { merge(&left, copy) }
        var right = empty
        for copy in copies.shuffled(using: &random).reversed() {
            var grouped = copy
            merge(&grouped, right)
            right = grouped
        }
        #expect(left == first, "merged, \(hint)")
        #expect(right == first, "merged in another order and grouping, \(hint)")
        var twice = left
        merge(&twice, left)
        #expect(twice == left, "merged with itself, \(hint)")
        return first
    }

    /// Returns all operations, each once to three times, in any order.
    private static func disordered(_ operations: [Operation], _ random: inout SplitMix64) -> [Operation] {
        var result: [Operation] = []
        for operation in operations {
            for _ in 0..<Int.random(in: 1...3, using: &random) { result.append(operation) }
        }
        return result.shuffled(using: &random)
    }
}

/// Identifiers that are made of numbers.
enum Numbered {
    static func peer(_ number: Int) -> PeerID {
        let bytes = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 7, count: 30)
        guard let id = PeerID(bytes: bytes) else { preconditionFailure("a peer id of \(bytes.count) bytes") }
        return id
    }

    static func message(_ number: Int) -> MessageID {
        let bytes = (0..<4).reversed().map { UInt8(number >> ($0 * 8) & 0xFF) } + [UInt8](repeating: 9, count: 12)
        guard let id = MessageID(bytes: bytes) else { preconditionFailure("a message id of \(bytes.count) bytes") }
        return id
    }
}
