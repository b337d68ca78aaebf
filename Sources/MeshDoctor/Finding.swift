/// One result of an examination: the state, and for a fault its effect and its remedy.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    package enum Severity: String, Hashable, Sendable, Encodable {
        /// The examined thing is in order.
        case ok
        /// The examined thing works but could be better, or cannot be judged from here.
        case hint
        /// The examined thing prevents something from working.
        case problem
    }

    /// The examined thing.
    ///
    /// The set of causes is open.
    package struct Cause: Hashable, Sendable {
        /// The machine-readable name.
        package let name: String
        /// The part of the machine to which the cause belongs.
        package let area: Area

        /// Creates a cause.
        package init(_ name: String, in area: Area) {
            self.name = name
            self.area = area
        }
    }

    /// The parts of a machine that are examined, in the order of the report.
    package enum Area: String, Hashable, Sendable, Encodable, CaseIterable {
        /// Interfaces, sockets and firewall.
        case network
        /// The discovered nodes.
        case neighbours
        /// The support for the cryptography in processor and system.
        case cryptography
        /// The data directory of the identity.
        case home
        /// The wall clock.
        case clock
        /// A hub on the internet.
        case hub
    }

    /// The examined thing.
    package let cause: Cause
    /// The severity.
    package let severity: Severity
    /// The examined instance: an interface, a path.
    package let subject: String
    /// The state, in one sentence.
    package let what: String
    /// The effect, in one sentence; nil if there is no fault.
    package let why: String?
    /// The remedy; nil if there is no fault.
    package let mend: String?

    /// Creates a finding without a fault.
    package static func ok(_ cause: Cause, _ subject: String, _ what: String) -> Finding {
        Finding(cause: cause, severity: .ok, subject: subject, what: what, why: nil, mend: nil)
    }

    /// Creates a finding about something that could be better, or that cannot be judged from here.
    package static func hint(
        _ cause: Cause,
        _ subject: String,
        _ what: String,
        why: String,
        mend: String
    ) -> Finding {
        Finding(cause: cause, severity: .hint, subject: subject, what: what, why: why, mend: mend)
    }

    /// Creates a finding about something that prevents something else from working.
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

    /// Encodes the machine-readable form of the finding.
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
