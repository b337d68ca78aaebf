import Earshot

/// Questions with pictures: the model is asked once all of them are read.
extension AnswerScheduler {
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
    mutating func loadPictures(_ question: Question, at now: ContinuousClock.Instant) -> [AnswerEffect] {
        let effects = stop(question.asker, "stopped: you sent another message", at: now) ?? []
        guard loading.count < AssistantLimits.pictureLoadCount else {
            return effects + [
                reply("Pictures of \(loading.count) questions are still arriving. Ask again later.", question)
            ]
        }
        loading.append((question, now.advanced(by: AssistantLimits.pictureLoadTime)))
        watch(question, at: now)
        return effects + [.loadPictures(question.id)]
    }

    /// Returns the question of a message whose pictures are awaited.
    func unseen(_ message: MessageID) -> Question? { loading.first { $0.question.id == message }?.question }

    /// Takes the pictures of a message and asks the question.
    mutating func see(
        _ pictures: [Picture],
        of message: MessageID,
        at now: ContinuousClock.Instant
    ) -> [AnswerEffect] {
        guard var question = takeLoading(message) else { return [] }
        question.pictures = pictures
        return ask(question, at: now)
    }

    /// Gives up a question whose pictures cannot be read.
    mutating func miss(_ message: MessageID) -> [AnswerEffect] {
        guard let question = takeLoading(message) else { return [] }
        return missed(question)
    }

    /// Gives up the questions whose pictures did not arrive in time.
    mutating func endLoading(at now: ContinuousClock.Instant) -> [AnswerEffect] {
        let late = loading.filter { $0.deadline <= now }.map(\.question)
        loading.removeAll { $0.deadline <= now }
        return late.flatMap { missed($0) }
    }

    /// Ends the wait for the pictures of an asker's question.
    mutating func stopLoading(for asker: Asker, _ mark: String) -> [AnswerEffect] {
        guard let place = loading.firstIndex(where: { $0.question.asker == asker }) else { return [] }
        return [reply("(\(mark.capitalizedFirst).)", loading.remove(at: place).question)]
    }

    private mutating func takeLoading(_ message: MessageID) -> Question? {
        loading.firstIndex { $0.question.id == message }.map { loading.remove(at: $0).question }
    }

    private mutating func missed(_ question: Question) -> [AnswerEffect] {
        forgetAbsence(of: question.asker.peer)
        return [reply("The pictures have not arrived, or I cannot read them. Send them again.", question)]
    }
}
