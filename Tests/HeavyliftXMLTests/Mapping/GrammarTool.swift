import Foundation

/// A widely used validator, and its verdict on files by a RELAX NG grammar.
enum GrammarTool: String, CaseIterable {
  case xmllint
  case jing

  /// The executable, if this machine has it.
  var executable: URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.map { URL(filePath: $0).appending(path: rawValue) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Returns the files that the tool rejects. Many files are passed at once, because the tool takes longer to start
  /// than to check them.
  func refused(_ files: [URL], by grammar: URL) throws -> Set<URL> {
    switch self {
    case .xmllint:
      // One verdict per file; it is never "valid" if the file is not even XML.
      let lines = try run(["--nonet", "--noout", "--relaxng", grammar.path] + files.map(\.path))
      return Set(files.filter { !lines.contains("\($0.path) validates") })
    case .jing:
      // One line per mistake, starting with the file. A fatal one is the last: the next files are not checked.
      var refused: Set<URL> = []
      var rest = files[...]
      while !rest.isEmpty {
        let lines = try run([grammar.path] + rest.map(\.path))
        refused.formUnion(rest.filter { file in lines.contains { $0.hasPrefix("\(file.path):") } })
        let fatal = rest.firstIndex { file in
          lines.contains { $0.hasPrefix("\(file.path):") && $0.contains(" fatal: ") }
        }
        rest = fatal.map { rest[($0 + 1)...] } ?? []
      }
      return refused
    }
  }

  /// The lines that the tool prints.
  private func run(_ arguments: [String]) throws -> [String] {
    guard let executable else { return [] }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map(String.init)
  }
}
