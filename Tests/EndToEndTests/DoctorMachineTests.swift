import Foundation
import Testing

/// Faults of the machine besides its network; all on loopback, with a multicast group of the test's own.
@Suite("Doctor: cryptography, home and clock", .timeLimit(.minutes(30)))
struct DoctorMachineTests {
    // A second: on a busy machine the second process may take a while to answer.
    private static let options = ["--listen", "1s"] + NodeProcess.loopback()

    private let folder: TemporaryFolder
    private var home: URL { folder.url.appending(path: "home") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeHome(passphrase: String? = nil) throws {
        let end = passphrase == nil ? ["--no-passphrase"] : []
        let made = try Command.run(
            [Command.earshot, "--home", home.path, "init", "--name", "Alice"] + end,
            environment: passphrase.map { ["EARSHOT_PASSPHRASE": $0] } ?? [:]
        )
        try #require(made.status == 0, "\(made.errors)")
    }

    private func doctor(
        wrapper: [String] = [],
        executable: String = Command.earshot,
        environment: [String: String] = [:]
    ) throws -> DoctorRun {
        try DoctorRun(
            home: home,
            Self.options,
            wrapper: wrapper,
            executable: executable,
            environment: environment
        )
    }

    #if DEBUG
        @Test("A processor without AES for libsodium")
        func cipher() throws {
            let run = try doctor(environment: ["EARSHOT_AEAD": "portable"])
            #expect(run.troubles("cryptography").contains("hint cipher AES-256-GCM"))
            #expect(run.status == 0)
        }
    #endif

    @Test("Memory that cannot be locked")
    func memory() throws {
        guard try Command.run(["setpriv", "--version"]).status == 0 else {
            print("SKIPPED: setpriv is not here (package util-linux)")
            return
        }
        // Root may lock memory beyond the limit, unless it gives up that right.
        let privilege = geteuid() == 0 ? ["setpriv", "--bounding-set", "-ipc_lock"] : []
        let limited = ["sh", "-c", "ulimit -l 0 && exec \"$@\"", "sh"] + privilege
        #expect(try doctor(wrapper: limited).troubles("cryptography").contains("hint memoryLock secrets"))
    }

    @Test("No home, one without identity, and one that is well")
    func homeStates() throws {
        #expect(try doctor().troubles("home") == ["hint home home"])
        #expect(!FileManager.default.fileExists(atPath: home.path))
        try makeHome()
        let run = try doctor()
        #expect(run.all("home") == ["ok home home"])
        #expect(run.status == 0)
    }

    @Test("A home with a passphrase is told without asking for it")
    func passphrase() throws {
        try makeHome(passphrase: "correct horse")
        let run = try doctor()
        #expect(run.all("home") == ["ok home home"])
        #expect(run.findings.contains { $0.what.contains("has a passphrase. No node") })
    }

    @Test("A home that others may look into")
    func notPrivate() throws {
        try makeHome()
        try Command.run(["chmod", "755", home.path])
        try Command.run(["chmod", "644", home.appending(path: "key.bin").path])
        let run = try doctor()
        #expect(run.troubles("home") == ["problem homeNotPrivate home", "problem keyNotPrivate key.bin"])
        #expect(run.status == 77)
    }

    @Test("A home of another user")
    func notOwn() throws {
        guard geteuid() == 0 else {
            print("SKIPPED: only root gives a home away")
            return
        }
        try makeHome()
        try Command.run(["chown", "65534", home.path])
        let run = try doctor()
        #expect(run.troubles("home") == ["problem homeNotOwn home"])
        #expect(run.status == 77)
    }

    @Test("A home that another process holds and does not answer for")
    func held() throws {
        try makeHome()
        let lock = open(home.appending(path: "lock").path, O_RDWR)
        defer { close(lock) }
        try #require(flock(lock, LOCK_EX) == 0)
        let run = try doctor()
        #expect(run.troubles("home") == ["hint home home"])
        #expect(run.status == 0)
    }

    @Test("A clock that went back since the home was changed")
    func clockWentBack() throws {
        try makeHome()
        try Command.run(["touch", "-d", "+3 days", home.appending(path: "history.sqlite").path])
        let run = try doctor()
        #expect(run.troubles("clock") == ["problem clockBehind clock"])
        #expect(run.status == 1)
    }

    @Test("A clock before the program was built")
    func clockAndProgram() throws {
        let copy = folder.url.appending(path: "earshot").path
        try Command.run(["cp", Command.earshot, copy])
        try Command.run(["touch", "-d", "+40 days", copy])
        let run = try doctor(executable: copy)
        #expect(run.troubles("clock") == ["problem clockBehind clock"])
        #expect(run.status == 1)
    }
}
