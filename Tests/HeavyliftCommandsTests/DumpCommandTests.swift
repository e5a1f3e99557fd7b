import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct DumpCommandTests {
  private static let author =
    #"{"entity":"Author","key":1,"attributes":{"name":"Franz Kafka"},"#
    + #""relationships":{"books":["Book/p1","Novel/p2","Book/p3"]}}"#
  private static let books = """
    {"entity":"Book","key":1,"attributes":{"pages":0,"title":"The Trial"},"relationships":{"author":"Author/p1"}}
    {"entity":"Book","key":3,"attributes":{"pages":0,"title":"Letters"},"relationships":{"author":"Author/p1"}}
    {"entity":"Novel","key":2,"attributes":{"genre":null,"pages":0,"title":"Amerika"},"relationships":{"author":"Author/p1"}}

    """

  @Test func `a store is written line by line`() throws {
    let run = try ToolFixture().run("dump", "Library.sqlite", "--model", "Library.xcdatamodeld")
    #expect(run == .init(code: .success, output: "\(Self.author)\n\(Self.books)", errors: ""))
  }

  @Test func `an entity includes its sub-entities`() throws {
    let run = try ToolFixture().run("dump", "-m", "Library.xcdatamodeld", "--entity", "Book", "--", "Library.sqlite")
    #expect(run == .init(code: .success, output: Self.books, errors: ""))
  }

  @Test func `a misspelt entity is an error with a suggestion`() throws {
    let run = try ToolFixture().run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-e", "Bok")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[store.unknown-entity]: store 'Library.sqlite' has no entity 'Bok'
              did you mean 'Book'?

            """))
  }

  @Test func `a file appears only when complete, and the output says what was written`() throws {
    let fixture = try ToolFixture()
    let run = fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", "out.jsonl")
    #expect(run == .init(code: .success, output: "wrote 4 objects to out.jsonl\n", errors: ""))
    let text = try String(contentsOf: fixture.folder.appending("out.jsonl"), encoding: .utf8)
    #expect(text == "\(Self.author)\n\(Self.books)")
  }

  @Test func `a named pipe is written to and remains a pipe`() throws {
    let fixture = try ToolFixture()
    let path = fixture.folder.appending("pipe").path
    try #require(mkfifo(path, 0o600) == 0)
    // Opened before the tool writes: a pipe without a reader blocks its writer.
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    try #require(reader >= 0)
    defer { close(reader) }
    let run = fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", "pipe")
    #expect(run == .init(code: .success, output: "wrote 4 objects to pipe\n", errors: ""))
    var kind = stat()
    #expect(lstat(path, &kind) == 0 && kind.st_mode & S_IFMT == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(reader, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "\(Self.author)\n\(Self.books)")
  }

  @Test func `a symbolic link remains a link, and its target is written`() throws {
    let fixture = try ToolFixture()
    try fixture.write("old", to: "target.jsonl")
    let link = fixture.folder.appending("out.jsonl")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "target.jsonl")
    #expect(fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", "out.jsonl").code == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "target.jsonl")
    let text = try String(contentsOf: fixture.folder.appending("target.jsonl"), encoding: .utf8)
    #expect(text == "\(Self.author)\n\(Self.books)")
  }

  @Test func `a failed dump leaves the existing file, and no other`() throws {
    let fixture = try ToolFixture()
    try fixture.write("old", to: "out.jsonl")
    try fixture.change("Library.sqlite", "UPDATE ZBOOK SET ZTITLE = x'00' WHERE Z_PK = 3")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path).sorted()
    let run = fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", "out.jsonl")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[store.bad-value]: store 'FOLDER/Library.sqlite' holds a blob where a value of type String is expected: \
            column ZTITLE of table ZBOOK, attribute 'title' of Book/p3
              correct the value, e.g. with sqlite3 on a copy: ZBOOK WHERE Z_PK = 3

            """))
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.url.path).sorted() == names)
    #expect(try String(contentsOf: fixture.folder.appending("out.jsonl"), encoding: .utf8) == "old")
  }

  @Test func `another store is not overwritten`() throws {
    let fixture = try ToolFixture()
    try fixture.copy("Library.sqlite", to: "Other.sqlite")
    let before = try Data(contentsOf: fixture.folder.appending("Other.sqlite"))
    let run = fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", "Other.sqlite")
    #expect(
      run.code == .failure && run.errors.contains("file 'Other.sqlite' cannot be written: it is a database"), "\(run)")
    #expect(try Data(contentsOf: fixture.folder.appending("Other.sqlite")) == before)
  }

  @Test(arguments: ["Library.sqlite", "./Library.sqlite", "Library.sqlite-wal", "link"])
  func `the store itself is never overwritten`(path: String) throws {
    let fixture = try ToolFixture()
    try FileManager.default.createSymbolicLink(
      at: fixture.folder.appending("link"), withDestinationURL: fixture.folder.appending("Library.sqlite"))
    let before = try fixture.files()
    let run = fixture.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "-o", path)
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[dump.output-is-store]: the dump cannot be written to '\(path)', which is the store itself
              choose another file; nothing was changed

            """))
    #expect(try fixture.files() == before)
  }

  @Test func `a reader that stops early ends the tool quietly`() throws {
    final class ClosedPipe: ByteSink {
      func write(_ bytes: UnsafeRawBufferPointer) throws { throw POSIXError(.EPIPE) }
    }
    let fixture = try ToolFixture()
    let errors = MemorySink()
    let io = CommandIO(output: ClosedPipe(), errors: errors, workingDirectory: fixture.folder.url)
    let code = CommandLineTool.heavylift.run(["dump", "Library.sqlite", "-m", "Library.xcdatamodeld"], io)
    #expect(code == .brokenPipe)
    #expect(errors.text == "")
  }

  @Test func `an output that cannot be written is reported`() throws {
    final class FullDisk: ByteSink {
      func write(_ bytes: UnsafeRawBufferPointer) throws { throw POSIXError(.ENOSPC) }
    }
    let fixture = try ToolFixture()
    let errors = MemorySink()
    let io = CommandIO(output: FullDisk(), errors: errors, workingDirectory: fixture.folder.url)
    #expect(CommandLineTool.heavylift.run(["dump", "Library.sqlite", "-m", "Library.xcdatamodeld"], io) == .failure)
    #expect(
      errors.text == """
        error[file.system]: the output cannot be written: no space left on device
          the output so far is incomplete; write to a place with enough space

        """)
  }

  @Test func `without a model that fits, there is no dump`() throws {
    let run = try ToolFixture().run("dump", "Library.sqlite", "--json")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: #"{"errors":[{"severity":"error","code":"store.no-model","problem":"store 'FOLDER/Library.sqlite' "#
            + #"contains no model, and none was given","remedy":"specify the model's file, e.g. --model "#
            + #"Library.xcdatamodeld","location":null}]}"# + "\n"))
  }
}
