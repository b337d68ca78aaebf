import Bytes
import Foundation
import MeshCore

/// Connections to hubs, and their examination.
extension GatewayEngine {
    /// Examines a hub whose connection is open.
    mutating func takeOpening(of hub: Int, _ role: HubRole, at time: GatewayTime) {
        guard hubs[hub].phase == .connecting else { return effects.append(.close(hub)) }
        hubs[hub].downloads.trustsSubscriptions = role == .whole
        hubs[hub].enter(.checking, date: time.date)
        examine(hub, at: time)
    }

    /// Ends a connection.
    mutating func end(_ hub: Int, _ error: HubError, at time: GatewayTime) {
        hubs[hub].end(error, now: time.now, date: time.date, random: &random)
        effects.append(.close(hub))
    }

    /// Takes a message of a hub.
    mutating func take(_ event: HubEvent, from hub: Int, at time: GatewayTime) {
        guard hubs[hub].phase == .checking || hubs[hub].isOpen else { return }
        spend(event.byteCount, at: time.now)
        switch event {
        case .closed: end(hub, .lost(hubs[hub].url), at: time)
        case .timeUp: return
        case .mail(let subject, let body):
            if let examination = hubs[hub].examination, examination.subjects.contains(subject) {
                return examine(hub, by: event, at: time)
            }
            takeMail(body, subject: subject, from: hub, at: time)
        case .answer(let number, let answer):
            if let examination = hubs[hub].examination, examination.numbers.contains(number) {
                return examine(hub, by: .answer(number - examination.first, answer), at: time)
            }
            guard let topic = hubs[hub].questions[number] else {
                return takeLate(answer, number, from: hub, at: time)
            }
            if takeAnswer(answer, to: topic, from: hub, at: time) {
                hubs[hub].questions.close(number)
                hubs[hub].noteAnswer()
            }
        }
    }

    // MARK: - Examinations

    /// Begins an examination, or ends one whose time is over.
    mutating func examineInTime(_ hub: Int, at time: GatewayTime) {
        if let examination = hubs[hub].examination {
            if examination.end <= time.now { examine(hub, by: .timeUp(0), at: time) }
        } else if hubs[hub].isOpen, hubs[hub].nextExamination <= time.now {
            examine(hub, at: time)
        }
    }

    private mutating func examine(_ hub: Int, at time: GatewayTime) {
        let canary = Canary(for: hubs[hub].url, using: &random)
        let first = hubs[hub].questions.reserve(GatewayLimits.examinationQuestionCount)
        let examination = HubState.Examination(canary: canary, first: first, begin: time.now)
        hubs[hub].examination = examination
        effects.append(.ask(hub, examination.numbered(canary.begin())))
    }

    private mutating func examine(_ hub: Int, by event: HubEvent, at time: GatewayTime) {
        guard var examination = hubs[hub].examination else { return }
        let elapsed = examination.begin.duration(to: time.now)
        let step = examination.canary.take(event, after: elapsed, at: time.date)
        hubs[hub].examination = examination
        switch step {
        case .wait: return
        case .ask(let requests): effects.append(.ask(hub, examination.numbered(requests)))
        case .done(let outcome):
            hubs[hub].roundTrip = outcome.roundTrip
            pass(hub, examination, at: time)
            guard let hours = outcome.clockHours else { return }
            hubs[hub].problem = HubStatus.Problem(.clock(hubs[hub].url, hours: hours))
        case .failed(let error) where error.code == .full:
            // A full hub still gives mail out.
            pass(hub, examination, at: time)
            hubs[hub].problem = HubStatus.Problem(error)
            hubs[hub].uploads.pauseAll(now: time.now)
        case .failed(let error): end(hub, error, at: time)
        }
    }

    private mutating func pass(_ hub: Int, _ examination: HubState.Examination, at time: GatewayTime) {
        hubs[hub].examination = nil
        hubs[hub].forgetFindings()
        hubs[hub].nextExamination = time.now.advanced(by: random.jittered(GatewayLimits.examinationTime, by: 0.1))
        effects.append(.ask(hub, examination.subjects.map(HubRequest.unsubscribe)))
        if hubs[hub].phase == .checking { open(hub, at: time) }
    }

    /// Begins to exchange mail.
    private mutating func open(_ hub: Int, at time: GatewayTime) {
        hubs[hub].open(now: time.now, date: time.date)
        // Their order says nothing about their age.
        let all = tags.all.sorted { $0.tag < $1.tag }
        effects.append(.ask(hub, all.filter(\.isSubscribed).map { .subscribe($0.tag.subject) }))
        for (tag, isSubscribed) in all {
            hubs[hub].downloads.ask(tag, isSubscribed: isSubscribed, now: time.now)
        }
        hubs[hub].uploads.startReading(now: time.now)
        readsStore = true
    }

    // MARK: - Requests

    /// Sends all that may be sent now.
    mutating func pump(_ hub: Int, at time: GatewayTime) {
        var requests: [HubRequest] = []
        while let question = hubs[hub].downloads.next(now: time.now) { requests.append(ask(question, hub, time.now)) }
        while let step = hubs[hub].uploads.next(now: time.now) { requests.append(ask(step, hub, time.now)) }
        if !requests.isEmpty { effects.append(.ask(hub, requests)) }
        spend(requests.reduce(0) { $0 + $1.byteCount }, at: time.now)
        if hubs[hub].phase == .catchingUp, hubs[hub].downloads.isCaughtUp { hubs[hub].enter(.live, date: time.date) }
        if hubs[hub].uploads.readsStore(now: time.now) { readsStore = true }
    }

    private mutating func ask(_ question: Downloads.Question, _ hub: Int, _ now: MeshInstant) -> HubRequest {
        let number = hubs[hub].questions.open(.download(question), now: now)
        switch question {
        case .last(let tag): return .publish(subject: tag.lastSubject, body: [], id: nil, number: number)
        case .next(let tag, let first):
            let body = Array(#"{"seq":\#(first),"next_by_subj":"\#(tag.subject)"}"#.utf8)
            return .publish(subject: "next", body: body, id: nil, number: number)
        }
    }

    private mutating func ask(_ step: Uploads.Step, _ hub: Int, _ now: MeshInstant) -> HubRequest {
        switch step {
        case .look(let id, let tag):
            let number = hubs[hub].questions.open(.look(id, tag), now: now)
            return .publish(subject: tag.lastSubject, body: [], id: nil, number: number)
        case .publish(let id, let tag, let envelope):
            let topic = HubState.Topic.publish(id, highest: hubs[hub].highest, lost: hubs[hub].counters.lost)
            let number = hubs[hub].questions.open(topic, now: now)
            let name = Hex.text(id.bytes)
            return .publish(subject: tag.subject, body: envelope.encoded(), id: name, number: number)
        }
    }

    /// Counts bytes of the day; the last ones end what this gateway does for others.
    private mutating func spend(_ byteCount: Int, at now: MeshInstant) {
        guard allowance.note(byteCount) else { return }
        for tag in tags.others { forget(tag, wasSubscribed: tags.end(tag)) }
        // The mesh keeps it, and the store is read on the next day.
        for hub in hubs.indices { hubs[hub].uploads.removeOthers(now: now) }
    }
}
