/// The subjects of mail that a connection has subscribed to, and their numbers.
struct HubSubscriptions {
    private var numbers: [String: Int] = [:]
    private var subjects: [Int: String] = [:]
    private var nextNumber: Int

    /// - Parameter first: The number of the first subscription.
    init(from first: Int) {
        nextNumber = first
    }

    /// Adds a subject, and returns its number; nil if it has one, or if there are too many.
    mutating func add(_ subject: String) -> Int? {
        guard numbers[subject] == nil, numbers.count < HubLimits.subscriptionCount else { return nil }
        defer { nextNumber += 1 }
        (numbers[subject], subjects[nextNumber]) = (nextNumber, subject)
        return nextNumber
    }

    /// Removes a subject, and returns the number that it had.
    mutating func remove(_ subject: String) -> Int? {
        guard let number = numbers.removeValue(forKey: subject) else { return nil }
        subjects[number] = nil
        return number
    }

    /// Returns the subject of a number.
    func subject(of number: Int) -> String? { subjects[number] }
}
