// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "earshot",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "MeshCore", targets: ["MeshCore"]),
        .library(name: "MeshSimulation", targets: ["MeshSimulation"]),
    ],
    targets: [
        .target(name: "MeshCore", swiftSettings: strict),
        .testTarget(name: "MeshCoreTests", dependencies: ["MeshCore"], swiftSettings: strict),
        .target(name: "MeshSimulation", dependencies: ["MeshCore"], swiftSettings: strict),
        .testTarget(
            name: "MeshSimulationTests",
            dependencies: ["MeshCore", "MeshSimulation"],
            swiftSettings: strict
        ),
    ]
)
