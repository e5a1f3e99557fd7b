import HeavyliftModel
import Testing

struct MergeConflictsTests {
  private static let conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> feature\n"

  @Test(arguments: [
    (conflict, 1, 1), ("x\n\(conflict)y\n\(conflict)", 2, 2),
    ("x\n<<<<<<< HEAD\na\n||||||| base\nc\n=======\nb\n>>>>>>> feature", 2, 1), ("<<<<<<<\n=======\n>>>>>>>", 1, 1),
    ("<<<<<<< HEAD\r\n=======\r\n>>>>>>> feature\r\n", 1, 1),
  ])
  func `conflicts are found by their first line`(text: String, line: Int, count: Int) {
    let conflicts = MergeConflicts(in: text.utf8)
    #expect(conflicts?.firstLine == line)
    #expect(conflicts?.count == count)
  }

  @Test(arguments: [
    "", "<<<<<<< HEAD", "=======\n>>>>>>> feature",
    " <<<<<<< HEAD\n =======\n >>>>>>> feature", "<<<<<<\n======\n>>>>>>",
    "A title\n=======\n",
  ])
  func `text without both sides of a conflict has none`(text: String) {
    #expect(MergeConflicts(in: text.utf8) == nil)
  }

  @Test func `the error names the first line and says what to delete`() {
    #expect(
      MergeConflicts(in: "\n\(Self.conflict)".utf8)?.diagnostic(file: "Music.xml").description == """
        Music.xml:2:1: error[file.merge-conflict]: the file has an unresolved merge conflict
          keep the right parts of both sides, and delete the lines that start with '<<<<<<<', '=======' and '>>>>>>>'
        """)
  }
}
