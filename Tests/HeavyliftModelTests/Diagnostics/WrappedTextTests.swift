import HeavyliftModel
import Testing

struct WrappedTextTests {
  @Test(
    arguments: [
      ("a bc def", 3, ["a", "bc", "def"]), ("a bc def", 4, ["a bc", "def"]), ("abcdefg", 3, ["abcdefg"]),
      ("a abcdefg h", 3, ["a", "abcdefg", "h"]), (#"f "a b\" c" d e"#, 3, ["f", #""a b\" c""#, "d e"]),
      (#""a b\\" c d"#, 3, [#""a b\\""#, "c d"]), (#"it's "a b"#, 3, ["it's", #""a b"#]), ("abc", 3, ["abc"]),
      ("", 3, [""]),
    ])
  func `a text is broken at spaces outside of strings and nowhere else`(text: String, width: Int, lines: [String]) {
    #expect(WrappedText(text, width: width).lines == lines)
  }

  @Test(
    arguments: [
      ("the store's old 'Music 2' has", ["the", "store's", "old", "'Music 2'", "has"]),
      ("policies' 'a b', 'c d'.", ["policies'", "'a b',", "'c d'."]),
      (#"write 'value="TERNARY(a == 'x', 1, 2)"' here"#, ["write", #"'value="TERNARY(a == 'x', 1, 2)"'"#, "here"]),
      (#"write '<drop name="a b"/>' or"#, ["write", #"'<drop name="a b"/>'"#, "or"]),
      (#"<relationship name="a b" value="it's > 2"/> and"#, [#"<relationship name="a b" value="it's > 2"/>"#, "and"]),
      (#"expected '"' before 'a b'"#, ["expected", #"'"'"#, "before", "'a b'"]),
      ("a < b and c > d", ["a", "<", "b", "and", "c", ">", "d"]), ("rock 'n roll", ["rock", "'n", "roll"]),
      ("took 0.1 s, of 12 in all", ["took", "0.1 s,", "of", "12", "in", "all"]),
      ("1\u{202F}157 of 2", ["1\u{202F}157", "of", "2"]),
      ("\u{1B}[1m'a b'\u{1B}[0m c", ["\u{1B}[1m'a b'\u{1B}[0m", "c"]),
    ] as [(String, [String])])
  func `what a reader may copy is one word`(text: String, words: [String]) {
    #expect(WrappedText.words(of: text) == words)
  }

  @Test(arguments: [
    ("abc", 3), ("", 0), ("\u{1B}[31merror\u{1B}[0m", 5), ("日本", 4), ("e\u{301}", 1), ("→", 1), ("1\u{202F}157", 5),
  ])
  func `a text takes the columns that a terminal shows`(text: String, columns: Int) {
    #expect(text.terminalColumns == columns)
  }

  @Test func `a long line continues below its text`() {
    #expect(
      WrappedText.fit(
        """
        My Models/1-2.xml:3:4: error[mapping.unknown]: attribute 'old name' of entity 'Person' has no counterpart
          write '<attribute name="name" value="$source.name"/>', or drop it and say so in the file
          version     that of the model 'Library 2' in the folder, according to its hashes
          short

        """, width: 40) == """
          My Models/1-2.xml:3:4:
              error[mapping.unknown]: attribute
              'old name' of entity 'Person' has no
              counterpart
            write
                '<attribute name="name" value="$source.name"/>',
                or drop it and say so in the file
            version     that of the model
                        'Library 2' in the folder,
                        according to its hashes
            short

          """)
  }

  @Test func `marks stay below what they mark`() {
    let text = "    title CONTAIN 'a long word' AND 1\n          ^~~~~~~"
    #expect(WrappedText.fit(text, width: 20) == text)
  }
}
