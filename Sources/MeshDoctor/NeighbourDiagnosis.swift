/// The diagnosis of the discovered nodes, and of the reasons if there are none.
package enum NeighbourDiagnosis {
    /// Returns one finding about the discovered nodes, one if links do not come up, and one for each other machine that
    /// runs a doctor.
    ///
    /// - Parameter isSound: Whether the machine's own network has no problem.
    package static func findings(_ facts: NetworkFacts, isSound: Bool) -> [Finding] {
        guard !facts.segments.isEmpty else { return [] }
        return [heard(facts, isSound: isSound)] + isolation(facts) + unknownNodes(facts)
    }

    private static func heard(_ facts: NetworkFacts, isSound: Bool) -> Finding {
        let away = facts.nodes.filter { !$0.isHere }
        let here = facts.nodes.count - away.count
        let local = here == 0 ? "" : " \(count(here, "node")) on this machine \(here == 1 ? "is" : "are") heard."
        guard away.isEmpty else {
            let closed = away.count(where: \.isOfClosedMesh)
            let places = Set(away.map { "\($0.address) on \($0.interface)" }).sorted()
            let shown = places.prefix(4).joined(separator: ", ") + (places.count > 4 ? ", …" : "")
            let note =
                closed == 0 ? "" : " \(closed) of them \(closed == 1 ? "is" : "are") in a mesh with a passphrase."
            return .ok(
                .neighbours,
                "neighbours",
                (away.count == 1 ? "1 node on another machine is" : "\(away.count) nodes on other machines are")
                    + " heard: \(shown).\(note)\(local)"
            )
        }
        let what = "No node on another machine was heard in \(seconds(facts.listened)).\(local)"
        let answering = facts.segments.flatMap(\.unknownNodes).filter(\.hasAnswered)
        guard answering.isEmpty else {
            return .hint(
                .neighbours,
                "neighbours",
                what,
                why: "The network works, as the doctor there shows, but no node runs there.",
                mend: "Start one: `earshot node`."
            )
        }
        guard isSound else {
            return .hint(
                .neighbours,
                "neighbours",
                what,
                why: "The problems above may explain it.",
                mend: "Fix those first, then run `earshot doctor` again."
            )
        }
        return .hint(
            .neighbours,
            "neighbours",
            what,
            why: "If one runs nearby, a device between the machines drops multicast: guest networks and many access "
                + "points keep devices apart (client isolation), and some switches filter groups.",
            mend: "Run `earshot doctor --listen 30s` on both machines at once. If neither hears the other, switch "
                + "client isolation off, use another network, or name the other: `earshot node --port 28788` there and "
                + "`earshot node --peer HOST:28788` here."
        )
    }

    private static func isolation(_ facts: NetworkFacts) -> [Finding] {
        guard let node = facts.running else { return [] }
        let seen = "\(count(node.neighbourCount, "neighbour"))"
        guard node.linkCount == 0, node.neighbourCount > 0 else {
            return [.ok(.isolation, "running node", "It sees \(seen) and has \(count(node.linkCount, "link")).")]
        }
        return [
            .problem(
                .isolation,
                "running node",
                "It sees \(seen), but has no link.",
                why: "Multicast arrives and unicast does not, or their mesh has another passphrase: no message passes "
                    + "through.",
                mend: "Switch off client isolation at the access point, allow incoming UDP in the firewalls of both "
                    + "machines, and compare --mesh-passphrase-file."
            )
        ]
    }

    private static func unknownNodes(_ facts: NetworkFacts) -> [Finding] {
        facts.segments.flatMap { segment in
            segment.unknownNodes.map { unknownNode in
                guard !unknownNode.hasAnswered else {
                    return .ok(
                        .otherDoctor,
                        segment.name,
                        "The doctor on \(unknownNode.address) hears this machine and answers: multicast and unicast work "
                            + "both ways."
                    )
                }
                return .hint(
                    .otherDoctor,
                    segment.name,
                    "The doctor on \(unknownNode.address) is heard, but gave no answer.",
                    why: "It does not hear this machine, or unicast between the two is dropped, unless it had just "
                        + "ended.",
                    mend:
                        """
                        Run both at once for longer (--listen 30s). If nothing changes, check the firewall of the \
                        other machine
                        """
                            + "and client isolation."
                )
            }
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func seconds(_ duration: Duration) -> String {
        let tenths = duration.components.seconds * 10 + duration.components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
