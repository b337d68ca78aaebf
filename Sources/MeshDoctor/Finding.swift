/// One thing that was looked at: how it is, and, where it is not well, why that matters and how to mend it.
package struct Finding: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Hashable, Sendable, Encodable {
        /// It is as it should be.
        case ok
        /// It works, but could be better, or cannot be judged from here.
        case hint
        /// It keeps something from working.
        case problem
    }

    /// The thing that was examined; the set is open.
    package struct Cause: Hashable, Sendable {
        /// The name that programs read.
        package let name: String
        /// The part of the machine it belongs to.
        package let area: Area

        /// Names a cause.
        package init(_ name: String, in area: Area) {
            self.name = name
            self.area = area
        }
    }

    /// The parts of a machine that are looked at, in the order they are told.
    package enum Area: String, Hashable, Sendable, Encodable, CaseIterable {
        /// Interfaces, sockets and what the firewall lets through.
        case network
        /// The nodes that are heard.
        case neighbours
        /// The support of processor and system for the cryptography.
        case cryptography
        /// The directory of the identity.
        case home
        /// The time of day.
        case clock
    }

    /// The thing that was examined.
    package let cause: Cause
    /// How bad it is.
    package let severity: Severity
    /// The one of its kind: an interface, a path.
    package let subject: String
    /// One sentence: how it is.
    package let what: String
    /// One sentence: what comes of it; nil where all is well.
    package let why: String?
    /// The remedy; nil if all is well.
    package let mend: String?

    /// Says that something is as it should be.
    package static func ok(_ cause: Cause, _ subject: String, _ what: String) -> Finding {
        Finding(cause: cause, severity: .ok, subject: subject, what: what, why: nil, mend: nil)
    }

    /// Says that something could be better, or cannot be judged from here.
    package static func hint(
        _ cause: Cause,
        _ subject: String,
        _ what: String,
        why: String,
        mend: String
    ) -> Finding {
        Finding(cause: cause, severity: .hint, subject: subject, what: what, why: why, mend: mend)
    }

    /// Says that something keeps something else from working.
    package static func problem(
        _ cause: Cause,
        _ subject: String,
        _ what: String,
        why: String,
        mend: String
    ) -> Finding {
        Finding(cause: cause, severity: .problem, subject: subject, what: what, why: why, mend: mend)
    }
}

extension Finding: Encodable {
    private enum CodingKeys: CodingKey {
        case area, cause, severity, subject, what, why, mend
    }

    /// Writes the finding as programs read it.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(cause.area, forKey: .area)
        try container.encode(cause.name, forKey: .cause)
        try container.encode(severity, forKey: .severity)
        try container.encode(subject, forKey: .subject)
        try container.encode(what, forKey: .what)
        try container.encodeIfPresent(why, forKey: .why)
        try container.encodeIfPresent(mend, forKey: .mend)
    }
}
