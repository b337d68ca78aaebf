import NIOCore
import Synchronization

/// The open connections.
///
/// Any program of the machine can connect. Connections without a session have their own places, in which a new one
/// replaces the oldest. A program that opens thousands of silent connections therefore locks out no client with a
/// session.
final class Connections: Sendable {
    private struct Table {
        var unknownPeers: [Int: any Channel] = [:]
        var guests: [Int: any Channel] = [:]
        var nextNumber = 0
    }

    private let table = Mutex(Table())

    /// Adds a connection without a session.
    ///
    /// - Returns: the number of the connection.
    func add(_ channel: any Channel) -> Int {
        let (number, displaced) = table.withLock { table -> (Int, (any Channel)?) in
            var displaced: (any Channel)?
            if table.unknownPeers.count == WebLimits.unauthenticatedCount, let oldest = table.unknownPeers.keys.min() {
                displaced = table.unknownPeers.removeValue(forKey: oldest)
            }
            table.nextNumber += 1
            table.unknownPeers[table.nextNumber] = channel
            return (table.nextNumber, displaced)
        }
        displaced?.close(promise: nil)
        channel.closeFuture.whenComplete { [weak self] _ in self?.remove(number) }
        return number
    }

    /// Moves a connection that now has a session to the places for such connections.
    ///
    /// - Returns: whether a place was free.
    func admit(_ number: Int) -> Bool {
        table.withLock { table in
            guard table.guests[number] == nil else { return true }
            guard table.guests.count < WebLimits.guestCount,
                let channel = table.unknownPeers.removeValue(forKey: number)
            else { return false }
            table.guests[number] = channel
            return true
        }
    }

    /// Closes all connections.
    func close() {
        let channels = table.withLock { Array($0.unknownPeers.values) + Array($0.guests.values) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func remove(_ number: Int) {
        table.withLock { table in
            table.unknownPeers[number] = nil
            table.guests[number] = nil
        }
    }
}
