import Foundation
import Testing

/// A desktop for a test: a screen in memory, a session bus and a notification daemon, all of them real.
///
/// Owns their processes. The daemon reports each notice that it shows through a script, and asks a script instead of
/// a menu for the chosen action.
final class Desktop: Sendable {
    /// A notice as the daemon shows it.
    struct Shown: Sendable, Equatable {
        let summary: String
        let body: String
        let urgency: String
    }

    /// The environment that a program needs to show something on this desktop.
    let environment: [String: String]
    private let folder: TemporaryFolder
    private let processes: [LineProcess]
    private let notices: LineProcess
    private let signals: LineProcess

    /// Whether the programs that the tests need are installed, as `Scripts/bootstrap` does.
    static let isPossible = ["Xvfb", "dbus-daemon", "dunst", "notify-send", "gdbus", "dbus-monitor"].allSatisfy {
        program in
        let run = try? Command.run(["which", program])
        return run?.status == 0
    }

    init() async throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        let screen = try LineProcess(["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
        let display = try #require(await screen.next())
        let bus = try LineProcess(["dbus-daemon", "--session", "--nofork", "--print-address=1"])
        let address = try #require(await bus.next())
        environment = [
            "DISPLAY": ":\(display)", "DBUS_SESSION_BUS_ADDRESS": address, "HOME": folder.url.path,
            "XDG_CONFIG_HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
        ]
        try Self.writeConfiguration(in: folder.url)
        let configuration = folder.url.appending(path: "dunstrc").path
        let daemon = try LineProcess(["dunst", "-conf", configuration], environment: environment)
        notices = try LineProcess(["cat"], input: folder.url.appending(path: "shown"))
        let wait = try Command.run(
            ["gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.Notifications"],
            environment: environment
        )
        try #require(wait.status == 0, "\(wait.errors)")
        signals = try LineProcess(
            ["dbus-monitor", "--session", "type='signal',interface='org.freedesktop.Notifications'"],
            environment: environment
        )
        // A monitor loses its name on the bus and then only listens; from then on it hears everything.
        while let line = await signals.next(), !line.contains("NameLost") {}
        processes = [notices, signals, daemon, bus, screen]
    }

    /// The next notice that the daemon shows.
    func nextNotice() async throws -> Shown {
        let fields = try #require(await notices.next()).split(separator: "\u{1}", omittingEmptySubsequences: false)
        try #require(fields.count == 3, "\(fields)")
        return Shown(summary: String(fields[0]), body: String(fields[1]), urgency: String(fields[2]))
    }

    /// Waits until a notice closes and returns the daemon's number of the reason: 1 expired, 2 by the user, 3 by the
    /// program.
    func nextClosing() async throws -> Int {
        while let line = await signals.next() {
            guard line.contains("member=NotificationClosed") else { continue }
            _ = await signals.next()
            let reason = await signals.next()?.split(separator: " ").last
            return try #require(reason.flatMap { Int($0) })
        }
        throw NodeProcess.Failure(description: "The session bus has ended.")
    }

    /// The number of notices on the screen.
    func noticeCount() throws -> Int {
        let answer = try call("org.freedesktop.DBus.Properties.Get", "org.dunstproject.cmd0", "displayedLength")
        return try #require(answer.firstMatch(of: /uint32 (\d+)/).flatMap { Int($0.output.1) }, "\(answer)")
    }

    /// Chooses an action of the newest notice in the daemon's menu.
    func choose(_ action: String) throws {
        try Data(action.utf8).write(to: folder.url.appending(path: "choice"))
        try click()
    }

    /// Clicks on the newest notice: that chooses its default action, or opens the menu if there is none.
    func click() throws {
        _ = try call("org.dunstproject.cmd0.NotificationAction", "0")
    }

    /// Ends all processes.
    func close() {
        for process in processes { process.stop() }
    }

    private func call(_ method: String, _ parameters: String...) throws -> String {
        let call = ["gdbus", "call", "--session", "--dest", "org.freedesktop.Notifications"]
        let place = ["--object-path", "/org/freedesktop/Notifications", "--method", method]
        let run = try Command.run(call + place + parameters, environment: environment)
        try #require(run.status == 0, "\(run.errors)")
        return run.output
    }

    private static func writeConfiguration(in folder: URL) throws {
        let path = folder.path
        let pipe = folder.appending(path: "shown").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let scripts = [
            "show": #"printf '%s\001%s\001%s\n' "$DUNST_SUMMARY" "$DUNST_BODY" "$DUNST_URGENCY" > '\#(pipe)'"#,
            "choose": "grep -F -f '\(path)/choice' | head -n 1",
        ]
        for (name, line) in scripts {
            let file = folder.appending(path: name)
            try Data("#!/bin/sh\n\(line)\n".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file.path)
        }
        let configuration = """
            [global]
                markup = full
                format = "<b>%s</b>\\n%b"
                dmenu = \(path)/choose
            [urgency_low]
                timeout = 0
            [urgency_normal]
                timeout = 0
            [tell]
                appname = Earshot
                script = \(path)/show
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "dunstrc"))
    }
}
