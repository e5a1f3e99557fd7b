import Foundation
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Files that exist but cannot be read: the system's reason is reported, whatever kind of file was expected.
struct UnreadableFileTests {
  @Test(arguments: [
    ("Library.xcdatamodeld", "'Library.xcdatamodeld'"), ("Library.xcdatamodel", "'Library.xcdatamodel'"),
    ("Library.momd", "'Library.momd'"), ("Library.mom", "'Library.mom'"), ("contents", "'contents'"),
    ("Folder.xcdatamodel", "the file 'Folder.xcdatamodel/contents'"),
    ("Folder.xcdatamodeld", "the file 'Folder.xcdatamodeld/A.xcdatamodel'"),
  ])
  func `a link to itself is reported as such`(path: String, subject: String) throws {
    let fixture = try ToolFixture()
    let folder = fixture.folder.url
    for name in ["Folder.xcdatamodel", "Folder.xcdatamodeld"] {
      try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: false)
    }
    for name in [
      "Library.xcdatamodeld", "Library.xcdatamodel", "Library.momd", "Library.mom", "contents",
      "Folder.xcdatamodel/contents", "Folder.xcdatamodeld/A.xcdatamodel",
    ] {
      try? FileManager.default.removeItem(at: folder.appending(path: name))
      let target = URL(filePath: name).lastPathComponent
      try FileManager.default.createSymbolicLink(atPath: folder.appending(path: name).path, withDestinationPath: target)
    }
    let expected = """
      error[file.unreadable]: \(subject) cannot be read: too many levels of symbolic links
        name the file itself: a symbolic link leads back to itself

      """
    let check = fixture.run("check", path)
    #expect(check == .init(code: .failure, output: "\(path): \(expected)\n1 error\n", errors: ""))
    #expect(fixture.run("inspect", "Library.sqlite", "-m", path) == .init(code: .failure, output: "", errors: expected))
    #expect(fixture.run("diff", path, path) == .init(code: .failure, output: "", errors: expected))
  }

  /// Runs in a separate process that first gives up root, because root may read everything.
  @Test func `missing permissions are reported, not the kind of the file`() async {
    await #expect(processExitsWith: .success) {
      let fixture = try ToolFixture()
      let folder = fixture.folder
      try FileManager.default.copyItem(
        at: folder.appending("Library.xcdatamodeld/Library.xcdatamodel"), to: folder.appending("One.xcdatamodel"))
      for name in ["Closed.xcdatamodeld", "Closed.xcdatamodel", "Closed.momd", "Closed"] {
        try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: false)
        chmod(folder.appending(name).path, 0)
      }
      for name in ["Closed.mom", "Closed.xml"] {
        try fixture.write("x", to: name)
        chmod(folder.appending(name).path, 0)
      }
      chmod(folder.appending("One.xcdatamodel/contents").path, 0)
      chmod(folder.appending("Library.xcdatamodeld/Library.xcdatamodel").path, 0)
      if getuid() == 0 {
        _ = setgid(65534)
        _ = setuid(65534)
      }
      var problems: [String] = []
      for (path, subject) in [
        ("Closed.xcdatamodeld", "the folder 'Closed.xcdatamodeld'"),
        ("Closed.xcdatamodel", "the folder 'Closed.xcdatamodel'"), ("Closed.momd", "'Closed.momd'"),
        ("Closed", "the folder 'Closed'"), ("Closed.mom", "the file 'Closed.mom'"),
        ("Closed.xml", "the file 'Closed.xml'"), ("One.xcdatamodel", "the file 'One.xcdatamodel/contents'"),
        ("Closed/contents", "'Closed/contents'"),
        ("Library.xcdatamodeld", "the folder 'Library.xcdatamodeld/Library.xcdatamodel'"),
      ] {
        let expected = ToolFixture.Run(
          code: .failure,
          output: """
            \(path): error[file.unreadable]: \(subject) cannot be read: permission denied
              check its permissions and those of the folders above it

            1 error

            """, errors: "")
        let run = fixture.run("check", path)
        if run != expected { problems.append("\(path): \(run)") }
      }
      for problem in problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
      // Skips exit handlers: a sanitizer would report live objects as leaks.
      _exit(problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
