import Foundation
import HeavyliftModel

/// A git repository, read with the `git` command. Nothing is checked out, and nothing is written.
struct GitRepository {
  /// A file of a revision, or of the index.
  struct Entry: Hashable {
    /// The path from the repository's root.
    var path: String
    /// The name of the file's contents in git.
    var object: String
    /// True for the commit of a submodule.
    var isSubmodule: Bool
  }

  /// The root of the working tree, without symbolic links.
  let root: URL

  /// Finds the repository that contains a folder.
  ///
  /// - Parameter path: The path to use in messages.
  /// - Throws: `Diagnostic` if there is none, or if git is missing or refuses it.
  init(containing folder: URL, _ path: String) throws {
    let output = try Self.run(["rev-parse", "--show-toplevel"], in: folder)
    guard output.status == 0, let root = output.text.split(separator: "\n").first else {
      throw Diagnostic(
        .error, code: "history.no-repository",
        problem: "'\(path)' is not in a git repository that can be read: \(output.reason)",
        remedy: "compare it with a folder or a model of the released app instead: --baseline PATH")
    }
    self.root = URL(filePath: String(root), directoryHint: .isDirectory).resolvingSymlinksInPath()
  }

  /// Creates the repository of a submodule.
  private init(root: URL) { self.root = root }

  /// Returns the commit with that name.
  func commit(_ name: String) throws -> String {
    let output = try Self.run(["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"], in: root)
    guard output.status == 0, let commit = output.text.split(separator: "\n").first else {
      throw Diagnostic(
        .error, code: "history.unknown-revision", problem: "the repository has no revision '\(name)'",
        remedy: try isShallow ? "this clone is shallow; \(Self.deepening)" : "check the name, or fetch it first")
    }
    return String(commit)
  }

  /// Returns the newest commit that two have in common; the first of them if their histories are unrelated.
  ///
  /// - Parameter name: The name of the first commit, for messages.
  func mergeBase(_ commit: String, _ other: String, _ name: String) throws -> String {
    let output = try Self.run(["merge-base", commit, other], in: root)
    if output.status == 0, let base = output.text.split(separator: "\n").first { return String(base) }
    guard try !isShallow else {
      throw Diagnostic(
        .error, code: "history.unknown-revision",
        problem: "the commit at which this branch left '\(name)' is not in this shallow clone", remedy: Self.deepening)
    }
    return commit
  }

  private var isShallow: Bool {
    get throws { try Self.run(["rev-parse", "--is-shallow-repository"], in: root).text.hasPrefix("true") }
  }

  private static let deepening =
    "fetch the history: 'fetch-depth: 0' for actions/checkout, 'git fetch --unshallow' elsewhere"

  struct Tag: Hashable {
    var name: String
    var commit: String
    /// The time of the tag or its commit, in seconds.
    var time: Int
  }

  /// Returns the tags that a pattern such as `v*` matches and that are in a commit's history, newest first.
  func tags(_ pattern: String, upTo commit: String) throws -> [Tag] { try tags(pattern, ["--merged=\(commit)"]) }

  /// Returns the tags that a pattern matches on other branches than a commit's, newest first.
  func tags(_ pattern: String, besides commit: String) throws -> [Tag] {
    try tags(pattern, ["--no-contains=\(commit)", "--no-merged=\(commit)"])
  }

  /// Returns the tags that a pattern matches and that were made from commits that one branch has and another one does not.
  func tags(_ pattern: String, onCommitsOf tip: String, after base: String) throws -> [Tag] {
    var (seen, starts) = (Set<String>(), [String]())
    for line in try output(["rev-list", "--topo-order", "--reverse", "--parents", "\(base)..\(tip)"]).text.split(
      separator: "\n")
    {
      let names = line.split(separator: " ").map(String.init)
      if !names.dropFirst().allSatisfy(seen.contains) || names.count == 1 { starts.append(names[0]) }
      seen.insert(names[0])
    }
    return starts.isEmpty ? [] : try tags(pattern, starts.map { "--contains=\($0)" })
  }

  /// Returns the tags that a pattern matches and whose history has a commit, which they are not on.
  func tags(_ pattern: String, after commit: String) throws -> [Tag] {
    try tags(pattern, ["--contains=\(commit)", "--no-merged=\(commit)"])
  }

  private func tags(_ pattern: String, _ filter: [String]) throws -> [Tag] {
    // A tag with a message is an object of its own, which names the commit.
    let format = "%(creatordate:unix)%00%(refname:short)%00%(objectname)%00%(*objectname)"
    let order = ["--sort=-version:refname", "--sort=-creatordate", "--format=\(format)"]
    return try output(["for-each-ref"] + order + filter + ["refs/tags/\(pattern)"]).text.split(separator: "\n")
      .compactMap { line in
        let parts = line.split(separator: "\0")
        guard parts.count > 2, let commit = parts.last else { return nil }
        return Tag(name: String(parts[1]), commit: String(commit), time: Int(parts[0]) ?? 0)
      }
  }

  /// Returns the commit of a submodule that a commit names; `nil` if it has no such submodule.
  func submoduleCommit(_ path: String, in commit: String) throws -> String? {
    try output(["ls-tree", "-z", "--full-tree", commit, "--", path]).fields.first.flatMap { field in
      // 160000 commit 1b2c…\tPath
      let facts = field.split(separator: "\t")[0].split(separator: " ")
      return facts.count == 3 && facts[1] == "commit" ? String(facts[2]) : nil
    }
  }

  /// Returns all files of a commit, or of a folder of one (`COMMIT:PATH`).
  func files(of tree: String) throws -> [Entry] {
    try output(["ls-tree", "-r", "-z", "--full-tree", tree]).fields.compactMap { field in
      // 100644 blob 1b2c…\tPath
      guard let tab = field.firstIndex(of: "\t") else { return nil }
      let facts = field[..<tab].split(separator: " ")
      guard facts.count == 3 else { return nil }
      return Entry(
        path: String(field[field.index(after: tab)...]), object: String(facts[2]), isSubmodule: facts[1] == "commit")
    }
  }

  /// Returns the files of the index, and the paths of those whose changes git ignores: because a sparse checkout leaves them
  /// out of the working tree, or because the user asked for it.
  func index() throws -> (entries: [Entry], unwatched: Set<String>) {
    var (entries, unwatched) = ([Entry](), Set<String>())
    for field in try output(["ls-files", "-v", "-s", "-z"]).fields {
      // S 100644 1b2c… 0\tPath
      guard let tab = field.firstIndex(of: "\t") else { continue }
      let facts = field[..<tab].split(separator: " ")
      guard facts.count == 4 else { continue }
      let entry = Entry(
        path: String(field[field.index(after: tab)...]), object: String(facts[2]), isSubmodule: facts[1] == "160000")
      entries.append(entry)
      if facts[0] == "S" || facts[0].first?.isLowercase == true { unwatched.insert(entry.path) }
    }
    return (entries, unwatched)
  }

  /// Returns the paths of files that differ between a commit and the working tree, including new ones.
  func changedFiles(since commit: String) throws -> Set<String> {
    let changed = try output(["diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", commit, "--"]).fields
    let new = try output(["ls-files", "--others", "--exclude-standard", "-z"]).fields
    return Set((changed + new).map(String.init))
  }

  /// Returns the repository of a submodule; `nil` if it was not fetched.
  func submodule(_ path: String) -> GitRepository? {
    let folder = root.appending(path: path, directoryHint: .isDirectory)
    guard FileManager.default.fileExists(atPath: folder.appending(path: ".git").path) else { return nil }
    return GitRepository(root: folder)
  }

  /// Returns the names of trees and files such as `v1.2:App/Model.xcdatamodeld`; `nil` for what does not exist.
  func objects(_ names: [String]) throws -> [String?] {
    var found: [String?] = []
    for names in names.batches {
      let lines = try output(["cat-file", "--batch-check=%(objectname)"], input: names).text.split(separator: "\n")
      found += lines.map { $0.hasSuffix(" missing") || $0.contains(" ") ? nil : String($0) }
    }
    return found
  }

  /// Returns the contents of files.
  func contents(of objects: [String]) throws -> [Data] {
    var found: [Data] = []
    for objects in objects.batches {
      var rest = try output(["cat-file", "--batch"], input: objects).data[...]
      for object in objects {
        // 1b2c… blob 1234\n, the bytes, \n
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")),
          let size = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").last.flatMap({ Int($0) }),
          rest.distance(from: end, to: rest.endIndex) > size + 1
        else {
          throw Diagnostic(
            .error, code: "history.unreadable", problem: "git cannot read its object \(object)",
            remedy: "run 'git fsck', or fetch the object")
        }
        found.append(Data(rest[(end + 1)..<(end + 1 + size)]))
        rest = rest[(end + 2 + size)...]
      }
    }
    return found
  }

  // MARK: Running git

  private struct Output {
    var status: Int32
    var data: Data
    var errors: String

    var text: String { String(decoding: data, as: UTF8.self) }
    /// The parts of output that ends each of them with a zero byte.
    var fields: [Substring] { text.split(separator: "\0") }
    /// The reason that git gives for a failure, in one line.
    var reason: String {
      errors.split(separator: "\n").first.map { String($0).replacing("fatal: ", with: "") }
        ?? "git ended with \(status)"
    }
  }

  private func output(_ arguments: [String], input: some Sequence<String> = []) throws -> Output {
    let output = try Self.run(arguments, in: root, input: input.map { "\($0)\n" }.joined())
    guard output.status == 0 else {
      throw Diagnostic(
        .error, code: "history.unreadable",
        problem: "'git \(arguments.first ?? "")' failed in '\(root.path)': \(output.reason)",
        remedy: "run 'git \(arguments.joined(separator: " "))' there to see why")
    }
    return output
  }

  private static func run(_ arguments: [String], in folder: URL, input: String = "") throws -> Output {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder.path] + arguments
    // Messages are shown, not parsed. A lock would disturb other processes that use the repository.
    var environment = ProcessInfo.processInfo.environment
    // Git sets them for hooks, whose repository need not be this one.
    for name in ["DIR", "WORK_TREE", "INDEX_FILE", "PREFIX", "OBJECT_DIRECTORY", "COMMON_DIR", "NAMESPACE"] {
      environment["GIT_\(name)"] = nil
    }
    process.environment = environment.merging(["GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"]) { $1 }
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    // A file, because git waits if it writes more than a pipe can hold while its output is read.
    let complaints = FileManager.default.temporaryDirectory.appending(path: "heavylift-git-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: complaints.path, contents: nil) else {
      throw Diagnostic.unreadable("the folder for temporary files", because: POSIXError(.EACCES))
    }
    defer { try? FileManager.default.removeItem(at: complaints) }
    (process.standardInput, process.standardOutput) = (standardInput, standardOutput)
    process.standardError = try FileHandle(forWritingTo: complaints)
    // `waitUntilExit` looks every 50 ms only.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do {
      try process.run()
      // Fits into the pipe's buffer, so this does not wait for git to read it.
      try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try standardInput.fileHandleForWriting.close()
      let data = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
      ended.wait()
      let errors = try Data(contentsOf: complaints)
      guard process.terminationStatus != 127 else { throw POSIXError(.ENOENT) }
      return Output(
        status: process.terminationStatus, data: data, errors: String(decoding: errors, as: UTF8.self))
    } catch {
      throw Diagnostic(
        .error, code: "history.no-git", problem: "git cannot be run",
        remedy: "install git, or compare with a folder or a model of the released app instead: --baseline PATH")
    }
  }
}

extension [String] {
  /// Names in portions whose lines fit into a pipe's buffer.
  fileprivate var batches: [ArraySlice<String>] {
    var (batches, start, bytes) = ([ArraySlice<String>](), startIndex, 0)
    for (place, name) in enumerated() {
      if bytes + name.utf8.count + 1 > 60_000 {
        batches.append(self[start..<place])
        (start, bytes) = (place, 0)
      }
      bytes += name.utf8.count + 1
    }
    if start < endIndex { batches.append(self[start...]) }
    return batches
  }
}
