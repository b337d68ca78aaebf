import Logging
import MeshCore
import NIOCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension MeshNode {
    /// Carries out one effect of the engine, or queues it if it concerns the program.
    ///
    /// Datagrams to one node leave at the end of the turn.
    func carryOut(_ effect: MeshEffect) {
        switch effect {
        case .send(let bytes, let endpoint):
            outbox.append(bytes, to: endpoint)
            if outbox.isFull { sendOutbox() }
        case .multicast(let bytes, let interface): sendBeacon(bytes, on: interface)
        case .deliver, .transmitted, .carried, .linkUp, .linkDown, .pathMessage, .pathLost, .pathRefused, .pathReady:
            outputs.append(effect)
        case .far(let envelope): farReader?.yield(envelope)
        case .storeChanged(let records): keep(records)
        case .dropped: break  // The engine's snapshot has the counts.
        }
    }

    /// Sends all datagrams that wait.
    func sendOutbox() {
        for train in outbox.takeAll() {
            let interface = train.endpoint.interface
            if let stream = interface.streamNumber {
                send(train.datagrams, byStreamAt: stream)
                continue
            }
            guard let sender = attachments[interface]?.sender else {
                statistics.unsendable += train.datagrams.count
                continue
            }
            let address = SocketAddress(
                train.endpoint.address,
                port: train.endpoint.port,
                onInterface: interface.index
            )
            let outcome = sender.send(train, to: address)
            count(outcome, of: train.datagrams.count)
            if let error = outcome.segmentationRefusal {
                logger.debug(
                    "segmentation offload refused, sending datagrams singly",
                    metadata: ["interface": "\(interface.index)", "family": "\(interface.family)", "errno": "\(error)"]
                )
            }
            // An error towards one node says nothing about a segment. The interface-less socket has no beacons, so only
            // such errors show that it cannot send.
            if interface.isRouted, let error = outcome.refusal { noteRefusal(error, on: interface) }
        }
    }

    private func sendBeacon(_ bytes: [UInt8], on interface: InterfaceID) {
        guard let attachment = attachments[interface], let sender = attachment.sender else {
            statistics.unsendable += 1
            return
        }
        for destination in attachment.sockets?.destinations ?? [] {
            let outcome = sender.send(bytes, to: destination)
            count(outcome, of: 1)
            if let error = outcome.refusal { noteRefusal(error, on: interface) }
        }
    }

    private func count(_ outcome: DatagramSender.Outcome, of datagramCount: Int) {
        statistics.sent += outcome.takenCount
        statistics.sendCalls += outcome.callCount
        statistics.unsendable += datagramCount - outcome.takenCount
    }

    /// Notes that an interface could not send, so that it is announced again soon.
    private func noteRefusal(_ error: CInt, on interface: InterfaceID) {
        guard ![EAGAIN, ENOBUFS].contains(error), attachments[interface]?.cannotSend == false else { return }
        attachments[interface]?.cannotSend = true
        logger.debug(
            "cannot send",
            metadata: ["interface": "\(interface.index)", "family": "\(interface.family)", "errno": "\(error)"]
        )
    }

    /// Announces the interfaces that could not send, as if they had just come up.
    ///
    /// The system does not tell when a firewall opens or a route appears. Trying is the only way to find out, and the
    /// datagrams that leave then make the neighbours known at once.
    func announceAgain() {
        for id in attachments.keys.sorted() where attachments[id]?.cannotSend == true {
            attachments[id]?.cannotSend = false
            announce(id)
        }
    }

    /// Tells the engine that the sockets of an interface are open.
    func announce(_ id: InterfaceID) {
        guard let attachment = attachments[id], let port = attachment.sockets?.port else { return }
        handle(.interfaceUp(id, prefixes: attachment.interface.prefixes, unicastPort: port))
    }
}
