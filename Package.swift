// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// The compiler attributes some members of the system's socket structures to NIO's private C module, which no target
// may import. So the two targets that fill such structures do without member import visibility.
let strictExceptMembers: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v26)],
    products: [
        .library(name: "Earshot", targets: ["Earshot"]),
        .library(name: "EarshotAssistant", targets: ["EarshotAssistant"]),
        .library(name: "EarshotGateway", targets: ["EarshotGateway"]),
        .library(name: "EarshotMedia", targets: ["EarshotMedia"]),
        .library(name: "EarshotTesting", targets: ["EarshotTesting", "MeshSimulation"]),
        .library(name: "MeshTransport", targets: ["MeshTransport", "MeshCore"]),
        .library(name: "MeshSimulation", targets: ["MeshSimulation", "MeshCore"]),
        .library(name: "ChatCrypto", targets: ["ChatCrypto"]),
        .library(name: "ChatHistory", targets: ["ChatHistory"]),
        .library(name: "ChatHistoryTesting", targets: ["ChatHistoryTesting"]),
        .executable(name: "earshot", targets: ["EarshotCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]
        ),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CEdit",
            pkgConfig: "libedit",
            providers: [.apt(["libedit-dev"]), .brew(["libedit"])]
        ),
        .systemLibrary(
            name: "CGIF",
            pkgConfig: "libgif",
            providers: [.apt(["libgif-dev"]), .brew(["giflib"])]
        ),
        .systemLibrary(
            name: "COpus",
            pkgConfig: "opus",
            providers: [.apt(["libopus-dev"]), .brew(["opus"])]
        ),
        .systemLibrary(
            name: "CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]
        ),
        .systemLibrary(
            name: "CQREncode",
            pkgConfig: "libqrencode",
            providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])]
        ),
        .systemLibrary(
            name: "CSixel",
            pkgConfig: "libsixel",
            providers: [.apt(["libsixel-dev"]), .brew(["libsixel"])]
        ),
        .systemLibrary(
            name: "CTurboJPEG",
            pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"]), .brew(["jpeg-turbo"])]
        ),
        .systemLibrary(
            name: "CWebP",
            pkgConfig: "libwebpmux",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]
        ),
        // The declarations inside are public, since the compiler specialises no other generic code across modules; no
        // product contains the target.
        .target(name: "Bytes", swiftSettings: strict),
        .target(name: "Durability", swiftSettings: strict),
        .target(
            name: "ChatCrypto",
            dependencies: [
                "Bytes", "CSodium",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ChatHistory",
            dependencies: [
                "Bytes", "Durability",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(name: "ChatHistoryTesting", dependencies: ["ChatHistory"], swiftSettings: strict),
        .target(name: "MeshCore", dependencies: ["Bytes"], swiftSettings: strict),
        .target(name: "MeshSimulation", dependencies: ["Bytes", "GatewayCore", "MeshCore"], swiftSettings: strict),
        .target(
            name: "MeshTransport",
            dependencies: [
                "Bytes", "Durability", "MeshCore",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .target(name: "GatewayCore", dependencies: ["Bytes", "MeshCore"], swiftSettings: strict),
        .target(
            name: "MeshGateway",
            dependencies: [
                "Bytes", "GatewayCore", "MeshCore",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "MeshDoctor",
            dependencies: [
                "MeshCore", "MeshTransport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .target(
            name: "ChatCore",
            dependencies: [
                "Bytes", "ChatCrypto", "MeshCore",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Earshot",
            dependencies: [
                "Bytes", "ChatCore", "ChatCrypto", "ChatHistory", "Durability", "MeshCore", "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "EarshotTesting",
            dependencies: [
                "ChatCore", "Earshot", "MeshCore", "MeshSimulation", "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "EarshotMedia",
            dependencies: ["Bytes", "CGIF", "COpus", "CPNG", "CQREncode", "CSixel", "CTurboJPEG", "CWebP", "Earshot"],
            swiftSettings: strict
        ),
        .target(
            name: "EarshotRPC",
            dependencies: [
                "ChatCrypto", "Earshot",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(name: "CPage", exclude: ["Page"]),
        .target(
            name: "EarshotWeb",
            dependencies: [
                "ChatCrypto", "CPage", "Earshot",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "EarshotGateway",
            dependencies: ["ChatCore", "ChatCrypto", "Earshot", "GatewayCore", "MeshCore", "MeshGateway"],
            swiftSettings: strict
        ),
        .target(name: "EarshotAssistant", dependencies: ["Bytes", "CCurl", "Earshot"], swiftSettings: strict),
        .target(name: "CErasure"),
        .executableTarget(
            name: "EarshotCLI",
            dependencies: [
                "CEdit", "CErasure", "ChatCrypto", "Earshot", "EarshotAssistant", "EarshotGateway", "EarshotMedia",
                "EarshotRPC", "EarshotWeb", "GatewayCore",
                "MeshCore", "MeshDoctor", "MeshGateway", "MeshSimulation", "MeshTransport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "MeshNode",
            dependencies: ["Earshot"],
            path: "Examples/MeshNode",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "TwoPeers",
            dependencies: ["Earshot"],
            path: "Examples/TwoPeers",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ThroughAPipe",
            dependencies: ["Earshot"],
            path: "Examples/ThroughAPipe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "AbsentFriend",
            dependencies: ["Earshot"],
            path: "Examples/AbsentFriend",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "CustomStore",
            dependencies: ["ChatHistory", "ChatHistoryTesting", "Earshot"],
            path: "Examples/CustomStore",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ChatWindow",
            dependencies: ["Earshot"],
            path: "Examples/ChatWindow",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Bot",
            dependencies: ["Earshot"],
            path: "Examples/Bot",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "OwnMesh",
            dependencies: ["MeshSimulation"],
            path: "Examples/OwnMesh",
            swiftSettings: strict
        ),
        // Not an example: the work that `Scripts/instructions` counts.
        .executableTarget(
            name: "MessageCost",
            dependencies: ["Earshot", "EarshotTesting", "MeshSimulation"],
            path: "Tests/MessageCost",
            exclude: ["limits"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "OwnEnvelopes",
            dependencies: [
                "Earshot", "MeshCore", "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Examples/OwnEnvelopes",
            swiftSettings: strict
        ),
        // The sibling modules are for the known answers that two modules produce together.
        .testTarget(
            name: "ChatCryptoTests",
            dependencies: [
                "Bytes", "ChatCore", "ChatCrypto", "ChatHistory", "CSodium", "MeshCore",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ChatHistoryTests",
            dependencies: [
                "ChatHistory", "ChatHistoryTesting",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MeshCoreTests",
            dependencies: ["Bytes", "MeshCore", "MeshSimulation"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MeshSimulationTests",
            dependencies: ["Bytes", "GatewayCore", "MeshCore", "MeshSimulation"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MeshTransportTests",
            dependencies: [
                "Bytes", "MeshCore", "MeshSimulation", "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .testTarget(
            name: "MeshGatewayTests",
            dependencies: [
                "Bytes", "ChatCore", "ChatCrypto", "Earshot", "EarshotCLI", "EarshotGateway", "EarshotTesting",
                "GatewayCore", "MeshCore", "MeshGateway", "MeshSimulation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSOCKS", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MeshDoctorTests",
            dependencies: [
                "Bytes", "MeshCore", "MeshDoctor", "MeshSimulation", "MeshTransport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strictExceptMembers
        ),
        .testTarget(
            name: "EarshotTests",
            dependencies: [
                "Bytes", "ChatCore", "ChatCrypto", "ChatHistory", "ChatWindow", "Earshot", "EarshotTesting", "MeshCore",
                "MeshSimulation",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EarshotMediaTests",
            dependencies: ["Bytes", "CGIF", "COpus", "CPNG", "CTurboJPEG", "CWebP", "Earshot", "EarshotMedia"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EarshotAssistantTests",
            dependencies: ["Earshot", "EarshotAssistant"],
            exclude: ["Support/model_server.py", "Support/llama_server.py"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EarshotRPCTests",
            dependencies: [
                "ChatCore", "ChatCrypto", "Earshot", "EarshotRPC",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EarshotWebTests",
            dependencies: [
                "ChatCrypto", "Earshot", "EarshotCLI", "EarshotMedia", "EarshotRPC", "EarshotWeb",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EarshotCLITests",
            dependencies: [
                "ChatCrypto", "Earshot", "EarshotCLI", "EarshotRPC", "MeshDoctor", "MeshSimulation", "MeshTransport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["ChatCrypto", "ChatHistory", "Earshot", "EarshotCLI"],
            exclude: ["Page"],
            swiftSettings: strict
        ),
        // The fuzz targets again, against modules, with the inputs that the fuzzer has kept.
        .testTarget(
            name: "FuzzReplayTests",
            dependencies: [
                "Bytes", "CPNG", "CSodium", "CWebP", "ChatCore", "ChatCrypto", "ChatHistory", "Earshot",
                "EarshotMedia", "GatewayCore", "MeshCore", "MeshSimulation",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            path: "Fuzz",
            exclude: ["Entry.swift", "known-leaks", "run"],
            swiftSettings: strict
        ),
        .testTarget(name: "ProjectTests", swiftSettings: strict),
    ]
)

// In the gate alone warnings are errors: a warning of a newer compiler, or of a dependency, stops no program that uses the
// library. The gate also optimises the libraries, in which the tests spend most of their time.
if Context.environment["EARSHOT_STRICT"] != nil {
    for target in package.targets {
        target.swiftSettings?.insert(.treatAllWarnings(as: .error), at: 0)
        if target.type == .regular { target.swiftSettings?.append(.unsafeFlags(["-O"])) }
    }
}

// The gate builds the tests of sockets again under the thread sanitizer: TARGET selects all tests of a target,
// TARGET/SOURCE a single source. A test bundle holds the tests of all targets, and building all of them would take
// most of the gate's time.
if let names = Context.environment["EARSHOT_TESTS"]?.split(separator: ",") {
    var chosen: [String: [String]] = [:]
    for name in names {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        chosen[parts[0], default: []] += parts.dropFirst()
    }
    package.targets.removeAll { $0.type == .test && chosen[$0.name] == nil }
    for target in package.targets where target.type == .test {
        if let sources = chosen[target.name], !sources.isEmpty { target.sources = sources }
    }
}
