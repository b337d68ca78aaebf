import Testing

@Suite("The module of bytes")
struct BytesTests {
    // The compiler specialises generic code over modules only if it is public: with `package` the mesh needed half as
    // much time again for each event (`mesh-bench core`: 373,000 events a second of processor time instead of
    // 580,000).
    @Test("Bytes declares nothing as package, for the mesh's core is built on it")
    func bytesArePublic() {
        let files = Repository.swiftFiles(below: "Sources/Bytes")
        #expect(files.count >= 5)
        #expect(files.filter { $0.text.contains("package ") }.map(\.path) == [])
    }
}
