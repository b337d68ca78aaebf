import Earshot

/// Questions with pictures: the model is asked once all of them are read.
extension AnswerDesk {
    /// Returns the reply that refuses a question; nil if the question may be answered.
    func refusal(of question: Question) -> String? {
        guard !question.hasFiles, question.offered.isEmpty || settings.seesPictures else {
            return settings.seesPictures
                ? "I read only text and pictures. Send a picture as a picture, not as a file."
                : "I read only text, no pictures or files."
        }
        let limit = AssistantLimits.pictureByteCount
        let byteCounts = question.offered.map(\.byteCount)
        // The sizes come from the sender: they are added up only if each of them is small.
        guard byteCounts.allSatisfy({ $0 <= limit }), byteCounts.reduce(0, +) <= limit else {
            return "The pictures are too large: I look at \(limit >> 20) MiB together."
        }
        return nil
    }

    /// Requests the pictures of a question; the earlier question of its asker ends.
    mutating func look(_ question: Question, at now: ContinuousClock.Instant) -> [DeskEffect] {
        let effects = stop(question.asker, "stopped: you sent another message", at: now) ?? []
        guard looking.count < AssistantLimits.lookCount else {
            return effects + [
                tell("Pictures of \(looking.count) questions are still arriving. Ask again later.", question)
            ]
        }
        looking.append((question, now.advanced(by: AssistantLimits.lookTime)))
        watch(question, at: now)
        return effects + [.look(question.id)]
    }

    /// Returns the question of a message whose pictures are awaited.
    func unseen(_ message: MessageID) -> Question? { looking.first { $0.question.id == message }?.question }

    /// Takes the pictures of a message and asks the question.
    mutating func see(
        _ pictures: [Picture],
        of message: MessageID,
        at now: ContinuousClock.Instant
    ) -> [DeskEffect] {
        guard var question = takeLooking(message) else { return [] }
        question.pictures = pictures
        return ask(question, at: now)
    }

    /// Gives up a question whose pictures cannot be read.
    mutating func miss(_ message: MessageID) -> [DeskEffect] {
        guard let question = takeLooking(message) else { return [] }
        return missed(question)
    }

    /// Gives up the questions whose pictures did not arrive in time.
    mutating func endLooking(at now: ContinuousClock.Instant) -> [DeskEffect] {
        let late = looking.filter { $0.deadline <= now }.map(\.question)
        looking.removeAll { $0.deadline <= now }
        return late.flatMap { missed($0) }
    }

    /// Ends the wait for the pictures of an asker's question.
    mutating func stopLooking(for asker: Asker, _ mark: String) -> [DeskEffect] {
        guard let place = looking.firstIndex(where: { $0.question.asker == asker }) else { return [] }
        return [tell("(\(mark.capitalizedFirst).)", looking.remove(at: place).question)]
    }

    private mutating func takeLooking(_ message: MessageID) -> Question? {
        looking.firstIndex { $0.question.id == message }.map { looking.remove(at: $0).question }
    }

    private mutating func missed(_ question: Question) -> [DeskEffect] {
        forgetAbsence(of: question.asker.peer)
        return [tell("The pictures have not arrived, or I cannot read them. Send them again.", question)]
    }
}
