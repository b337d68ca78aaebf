import Testing

@testable import EarshotCLI

@Suite("Table")
struct TableTests {
    @Test("Columns are as wide as their widest cell, lines end with their text")
    func columns() {
        var table = Table(["NAME", "TRUST", "ID"])
        table.add("Bob", "verified", "b2b2")
        table.add("语言", "tofu", "")
        #expect(table.lines == ["NAME  TRUST     ID", "Bob   verified  b2b2", "语言  tofu"])
    }

    @Test("A cell cannot break its line")
    func hostileCell() {
        var table = Table()
        table.add("a\nb", "c")
        #expect(table.lines == [#"a\u{a}b  c"#])
    }

    @Test("A table of nothing has no lines")
    func empty() {
        #expect(Table().lines == [])
    }
}
