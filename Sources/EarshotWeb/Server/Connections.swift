import NIOCore
import Synchronization

/// The connections that are open.
///
/// Any program of the machine can connect. Those without a session have their own places, in which a new one takes that of
/// the oldest: whoever opens thousands and says nothing keeps nobody else out, and no page that is open.
final class Connections: Sendable {
    private struct Table {
        var strangers: [Int: any Channel] = [:]
        var guests: [Int: any Channel] = [:]
        var nextNumber = 0
    }

    private let table = Mutex(Table())

    /// Takes a connection in as a stranger.
    ///
    /// - Returns: The number by which it is known.
    func add(_ channel: any Channel) -> Int {
        let (number, displaced) = table.withLock { table -> (Int, (any Channel)?) in
            var displaced: (any Channel)?
            if table.strangers.count == WebLimits.strangerCount, let oldest = table.strangers.keys.min() {
                displaced = table.strangers.removeValue(forKey: oldest)
            }
            table.nextNumber += 1
            table.strangers[table.nextNumber] = channel
            return (table.nextNumber, displaced)
        }
        displaced?.close(promise: nil)
        channel.closeFuture.whenComplete { [weak self] _ in self?.remove(number) }
        return number
    }

    /// Gives a stranger who has a session one of the places for guests.
    ///
    /// - Returns: Whether there was one.
    func admit(_ number: Int) -> Bool {
        table.withLock { table in
            guard table.guests[number] == nil else { return true }
            guard table.guests.count < WebLimits.guestCount, let channel = table.strangers.removeValue(forKey: number)
            else { return false }
            table.guests[number] = channel
            return true
        }
    }

    /// Closes all of them.
    func close() {
        let channels = table.withLock { Array($0.strangers.values) + Array($0.guests.values) }
        for channel in channels { channel.close(promise: nil) }
    }

    private func remove(_ number: Int) {
        table.withLock { table in
            table.strangers[number] = nil
            table.guests[number] = nil
        }
    }
}
