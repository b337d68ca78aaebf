import Earshot
import MeshDoctor

extension Finding.Cause {
    /// The state of the home.
    static let home = Self("home", in: .home)
    /// Other users may read the home.
    static let homeNotPrivate = Self("homeNotPrivate", in: .home)
    /// The home belongs to another user.
    static let homeNotOwn = Self("homeNotOwn", in: .home)
    /// Other users may read the key.
    static let keyNotPrivate = Self("keyNotPrivate", in: .home)
}

/// The check of a home: its privacy and its state.
enum HomeDiagnosis {
    /// Returns the problems with the home's privacy, and its state.
    ///
    /// - Parameter answers: Whether a node of the home answers on its socket.
    static func findings(_ facts: HomeFacts, answers: Bool) -> [Finding] {
        guard facts.exists else {
            return [
                .hint(
                    .home,
                    "home",
                    "There is no data directory at \(facts.path) yet.",
                    why: "You need an identity to talk to others.",
                    mend: "`earshot init --name NAME`"
                )
            ]
        }
        return notOwn(facts) + notPrivate(facts) + keyNotPrivate(facts) + [state(facts, answers: answers)]
    }

    private static func notOwn(_ facts: HomeFacts) -> [Finding] {
        guard !facts.isOwn else { return [] }
        return [
            .problem(
                .homeNotOwn,
                "home",
                "\(facts.path) belongs to another user of this machine.",
                why: "That user can read and change everything in it, and may lose access to it.",
                mend: "Run Earshot as that user, or `chown -R \"$(id -u)\" \(facts.path)`."
            )
        ]
    }

    private static func notPrivate(_ facts: HomeFacts) -> [Finding] {
        guard facts.mode & 0o077 != 0 else { return [] }
        return [
            .problem(
                .homeNotPrivate,
                "home",
                "Others can read \(facts.path): its mode is \(String(facts.mode, radix: 8)).",
                why: "No node starts there, because its files hold the identity and the history.",
                mend: "`chmod 700 \(facts.path)`"
            )
        ]
    }

    private static func keyNotPrivate(_ facts: HomeFacts) -> [Finding] {
        guard let mode = facts.keyMode, mode & 0o077 != 0, facts.key == .file else { return [] }
        return [
            .problem(
                .keyNotPrivate,
                "key.bin",
                "Others can read the key in \(facts.path): its mode is \(String(mode, radix: 8)).",
                why: "Anybody who has the key can read the history. No node starts.",
                mend: "`chmod 600 \(facts.path)/key.bin`"
            )
        ]
    }

    private static func state(_ facts: HomeFacts, answers: Bool) -> Finding {
        if case .process(let number) = facts.owner {
            let who = number.map { "Process \($0)" } ?? "Another process"
            guard !answers else { return .ok(.home, "home", "\(who) runs a node in \(facts.path), and it answers.") }
            return .hint(
                .home,
                "home",
                "\(who) has \(facts.path) open and does not answer.",
                why: "Only one process at a time can use a data directory: no other command works there meanwhile.",
                mend: "Wait until that command ends; if it hangs, end it\(number.map { " (`kill \($0)`)" } ?? "")."
            )
        }
        return switch facts.key {
        case .missing:
            .hint(
                .home,
                "home",
                "\(facts.path) has no identity yet.",
                why: "You need an identity to talk to others.",
                mend: "`earshot init --name NAME`"
            )
        case .passphrase: .ok(.home, "home", "\(facts.path) has a passphrase. No node runs there.")
        case .file:
            .ok(.home, "home", "\(facts.path) has no passphrase: its permissions protect it. No node runs there.")
        }
    }
}
