import MeshCore

/// The measurement of what a flood of one shelf does to hosts that keep others.
extension WholeRun {
    /// The shelves of honest hosts now.
    var currentShelves: [Shelf?] {
        (0..<honestCount).map { host in
            net.shelf(of: host).map { Shelf(of: $0.place, depth: $0.depth) }
        }
    }

    /// The figures of the hosts that kept another shelf than the attacked one when the attack began.
    func shelfFigures(beside calm: WholeRun) -> [ScenarioFigure: Double] {
        guard let attacked = attack?.groundShelf else { return [:] }
        let elsewhere = (0..<honestCount).filter { host in
            guard let shelf = firstShelves[host] else { return false }
            return shelf.depth <= attacked.depth ? !shelf.covers(attacked.prefix) : !attacked.covers(shelf.prefix)
        }
        let (shelves, calmShelves) = (currentShelves, calm.currentShelves)
        let keepers = elsewhere.filter { shelves[$0] == calmShelves[$0] }
        let numbers = mail.numbersForAll
        var (heldCount, keptCount) = (0, 0)
        for host in elsewhere {
            let held = calm.held(numbers, at: host)
            heldCount += held.count
            keptCount += self.held(numbers, at: host).intersection(held).count
        }
        return [
            .elsewhere: Double(elsewhere.count),
            .keptShelves: Double(keepers.count) / Double(max(1, elsewhere.count)),
            .keptMail: Double(keptCount) / Double(max(1, heldCount)),
        ]
    }

    /// Returns which of these messages the store of a host holds.
    func held(_ numbers: [[UInt8]: Int], at host: Int) -> Set<Int> {
        let envelopes = net.storedEnvelopes(at: host, .sealed, startingWith: Array(numbers.keys))
        return Set(envelopes.compactMap { numbers[Array($0.body.prefix(16))] })
    }
}

extension SimNet {
    /// Returns the place and the depth of the shelf of a host; nil while it is off.
    func shelf(of host: Int) -> (place: UInt16, depth: UInt8)? {
        for case .shelf(let place, let depth) in hosts[host].engine?.storeRecords(at: now) ?? [] {
            return (place, depth)
        }
        return nil
    }
}
