import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftXML

/// Reads the models of a project from a revision of its repository and of its submodules.
struct GitBaseline {
  /// A repository, and the commit that its files are compared with.
  private struct Part {
    var repository: GitRepository
    var commit: String
    /// The name of the revision, for messages.
    var name: String
    /// The tags whose versions are released, those to prefer first; `nil` if all versions of the commit are.
    var tags: [String]?
  }

  /// A version's file.
  private struct File {
    var path: ModelFilePath
    var object: String
    var release: String

    var contents: String { "\(path.folder)/contents" }
  }

  private let places: CheckedPlaces
  /// The versions of the working tree by the absolute path of their folder.
  private let present: [String: ModelSource.Version]
  /// The absolute paths of folders that are bundles, although they are not named like one.
  private let looseBundles: Set<String>
  private var changed: Set<String> = []
  private var models: [ReleasedModel] = []
  private var removedMappings: [RemovedMapping] = []
  private var notes: [(name: String, diagnostic: Diagnostic)] = []

  /// - Parameters:
  ///   - revision: The revision to compare with; `nil` for the newest tag that matches the pattern.
  ///   - pattern: The pattern of the tags whose versions are released; `nil` if all versions of the revision are.
  ///   - sources: The models of the working tree.
  static func read(
    since revision: String?, released pattern: String?, in project: String, _ places: CheckedPlaces,
    _ sources: [ModelSource], _ io: CommandIO
  ) throws -> Baseline {
    var isFolder: ObjCBool = false
    let url = io.url(project)
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    let repository = try GitRepository(
      containing: isFolder.boolValue ? url : url.deletingLastPathComponent(), project)
    let head = try repository.commit("HEAD")
    let tagsHere = try pattern.map { try repository.tags($0, upTo: head) }
    let tags = try pattern.map { try (tagsHere ?? []) + repository.tags($0, besides: head) }
    let newest = tagsHere?.first
    if let tags, tags.isEmpty || (revision == nil && newest == nil) {
      throw Diagnostic(
        .error, code: "history.no-release", problem: "no tag matches '\(pattern ?? "")', so no version is released",
        remedy: "check the pattern ('*' does not match '/'), or fetch the tags ('git fetch --tags')")
    }
    let name = revision ?? newest ?? "HEAD"
    let commit = try repository.mergeBase(repository.commit(name), head, name)
    var reading = GitBaseline(places, sources, io)
    try reading.read(Part(repository: repository, commit: commit, name: name, tags: tags))
    return Baseline(
      title: "'\(name)' (\(commit.prefix(7)))", models: reading.models, removedMappings: reading.removedMappings,
      notes: reading.notes,
      changedFiles: reading.changed, root: repository.root.path)
  }

  private init(_ places: CheckedPlaces, _ sources: [ModelSource], _ io: CommandIO) {
    self.places = places
    let bundles = sources.filter { $0.kind == .bundle }.map { ($0, CheckedPlaces.absolute($0.path, io.directory)) }
    looseBundles = Set(bundles.map(\.1).filter { !$0.hasSuffix(".xcdatamodeld") })
    let versions =
      bundles.flatMap { source, path in source.versions.map { ("\(path)/\($0.name).xcdatamodel", $0) } }
      + sources.filter { $0.kind != .bundle }.flatMap { source in
        source.versions.map { (CheckedPlaces.absolute(source.path, io.directory), $0) }
      }
    present = Dictionary(versions) { first, _ in first }
  }

  private mutating func read(_ part: Part) throws {
    let root = part.repository.root.path
    let entries = try part.repository.files(of: part.commit)
    let index = try part.repository.index()
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
    let changedHere = try part.repository.changedFiles(since: part.commit).union(index.unwatched.filter(exists))
    changed.formUnion(changedHere.map { "\(root)/\($0)" })
    var files = self.files(in: entries, of: part.name, root)
    var current = currentVersionFiles(in: entries)
    let objects = Dictionary(files.map { ($0.contents, $0.object) }) { first, _ in first }
    var known = Dictionary(grouping: files, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    if let tags = part.tags {
      // A bundle may have been moved or removed since the newest release.
      let newest = try tags.first.map { self.files(in: try part.repository.files(of: $0), of: $0, root) } ?? []
      let bundles = Set(files.map(\.path.bundle) + newest.map(\.path.bundle)).sorted()
      (files, current) = try released(bundles, tags, part.repository)
      known = Dictionary(grouping: files, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    }
    let leftOut = Dictionary(
      index.entries.filter { index.unwatched.contains($0.path) && !exists($0.path) }.map { ($0.path, $0.object) },
      uniquingKeysWith: { first, _ in first })
    // A file that has not changed was read from the working tree.
    let unchanged = { [present] (file: File) -> ModelSource.Version? in
      guard objects[file.contents] == file.object, !changedHere.contains(file.contents) else { return nil }
      return present["\(root)/\(file.path.folder)"]
    }
    files.removeAll { unchanged($0) == nil && leftOut[$0.contents] == $0.object }
    try add(files, known, current: current, unchanged, part.repository)
    try addRemovedMappings(entries.filter { changedHere.contains($0.path) && !exists($0.path) }, part)
    for entry in entries where entry.isSubmodule && places.concern("\(root)/\(entry.path)") {
      readSubmodule(entry, of: part, index.entries.filter(\.isSubmodule))
    }
  }

  /// Reads the mapping files among removed files.
  private mutating func addRemovedMappings(_ entries: [GitRepository.Entry], _ part: Part) throws {
    let removed = entries.filter { $0.path.hasSuffix(".xml") }
    for (entry, data) in zip(removed, try part.repository.contents(of: removed.map(\.object))) {
      guard let path = places.shown("\(part.repository.root.path)/\(entry.path)"), places.areReleased(path),
        let mapping = MappingSource(data: data, path: path)
      else { continue }
      removedMappings.append(RemovedMapping(release: part.name, mapping: mapping))
    }
  }

  /// - Parameter present: The submodules that the project has now.
  private mutating func readSubmodule(
    _ entry: GitRepository.Entry, of part: Part, _ present: [GitRepository.Entry]
  ) {
    do {
      guard present.contains(where: { $0.path == entry.path }) else {
        // It may be elsewhere now.
        for other in present {
          if let submodule = part.repository.submodule(other.path), let commit = try? submodule.commit(entry.object) {
            return try read(Part(repository: submodule, commit: commit, name: part.name))
          }
        }
        throw Diagnostic(
          .warning, code: "history.removed-submodule",
          problem: "submodule '\(entry.path)' of '\(part.name)' was removed, so its models were not compared",
          remedy: "if the app's models were in it, compare with a copy: --baseline PATH; if not, accept this finding")
      }
      guard let submodule = part.repository.submodule(entry.path) else {
        throw Diagnostic(
          .note, code: "history.missing-submodule",
          problem: "submodule '\(entry.path)' is not there, so its models were not compared",
          remedy: "fetch it with 'git submodule update --init'")
      }
      guard let commit = try? submodule.commit(entry.object) else {
        throw Diagnostic(
          .note, code: "history.missing-submodule",
          problem:
            "submodule '\(entry.path)' does not have the commit that '\(part.name)' names, so its models were not "
            + "compared",
          remedy: "fetch its history: 'git submodule update --init --no-single-branch', without '--depth'")
      }
      try read(Part(repository: submodule, commit: commit, name: part.name))
    } catch {
      notes += ErrorReport(error).diagnostics.map { (entry.path, $0) }
    }
  }

  /// Returns the models' files that the check is about.
  private func files(in entries: [GitRepository.Entry], of release: String, _ root: String) -> [File] {
    entries.compactMap { entry in
      guard var path = ModelFilePath(entry.path) else { return nil }
      let parent = (path.folder as NSString).deletingLastPathComponent
      if looseBundles.contains(parent.isEmpty ? root : "\(root)/\(parent)") { path.bundle = parent }
      guard let shown = places.shown("\(root)/\(path.folder)"), places.areReleased(shown) else { return nil }
      return File(path: path, object: entry.object, release: release)
    }
  }

  /// Returns the files that name current versions, by bundle.
  private func currentVersionFiles(in entries: [GitRepository.Entry]) -> [String: String] {
    let files = entries.filter { ($0.path as NSString).lastPathComponent == ".xccurrentversion" }
    return Dictionary(
      files.map { (($0.path as NSString).deletingLastPathComponent, $0.object) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the files of bundles in tags: those of the first tag that has a version, and that has the bundle.
  private func released(
    _ bundles: [String], _ tags: [String], _ repository: GitRepository
  ) throws -> (files: [File], current: [String: String]) {
    let names = tags.flatMap { tag in bundles.map { (tag: tag, bundle: $0) } }
    let trees = try repository.objects(names.map { $0.bundle.isEmpty ? "\($0.tag)^{tree}" : "\($0.tag):\($0.bundle)" })
    var (files, current) = ([File](), [String: String]())
    var (seen, seenBundles, contents) = (Set<ModelFilePath>(), Set<String>(), [String: [GitRepository.Entry]]())
    for (name, tree) in zip(names, trees) {
      guard let tree else { continue }
      let entries = try contents[tree] ?? repository.files(of: tree)
      contents[tree] = entries
      let start = name.bundle.isEmpty ? "" : "\(name.bundle)/"
      for entry in entries {
        guard var path = ModelFilePath(start + entry.path) else { continue }
        path.bundle = name.bundle
        guard seen.insert(path).inserted else { continue }
        files.append(File(path: path, object: entry.object, release: name.tag))
      }
      if seenBundles.insert(name.bundle).inserted {
        current[name.bundle] = entries.first { $0.path == ".xccurrentversion" }?.object
      }
    }
    return (files, current)
  }

  private mutating func add(
    _ files: [File], _ known: [String: Set<String>], current: [String: String],
    _ unchanged: (File) -> ModelSource.Version?, _ repository: GitRepository
  ) throws {
    let root = repository.root.path
    let others = files.filter { unchanged($0) == nil }
    let bundles = known.keys.sorted()
    let named = bundles.compactMap { bundle in current[bundle].map { (bundle, $0) } }
    let contents = try repository.contents(of: others.map(\.object) + named.map(\.1))
    let read = Dictionary(
      zip(others, contents).map { ("\($0.release):\($0.contents)", $1) }, uniquingKeysWith: { first, _ in first })
    let currentNames = Dictionary(
      zip(named, contents.dropFirst(others.count)).map { file, data in
        (file.0, try? CurrentVersionFile.versionName(in: data, file: "\(file.0)/.xccurrentversion"))
      }, uniquingKeysWith: { first, _ in first })
    let filesByBundle = Dictionary(grouping: files, by: \.path.bundle)
    for bundle in bundles {
      var versions: [ReleasedModel.Version] = []
      for file in filesByBundle[bundle] ?? [] {
        if let version = unchanged(file) {
          versions.append(.init(name: file.path.version, release: file.release, model: version.model))
          continue
        }
        let name = "\(file.release):\(file.contents)"
        do {
          var model = try ModelReader.read(data: read[name] ?? Data(), file: name).validModel()
          model.name = file.path.version
          versions.append(.init(name: file.path.version, release: file.release, model: model))
        } catch {
          let path = places.shown("\(root)/\(file.path.folder)") ?? file.path.folder
          notes.append((path, unreadable(name, error)))
        }
      }
      let names = known[bundle] ?? []
      models.append(
        ReleasedModel(
          path: places.shown(bundle.isEmpty ? root : "\(root)/\(bundle)") ?? bundle, restoringPath: bundle,
          repository: root, versions: versions.sorted { $0.name.precedesAsCounted($1.name) }, knownNames: names,
          currentVersionName: currentNames[bundle].flatMap(\.self) ?? (names.count == 1 ? names.first : nil)))
    }
  }

  private func unreadable(_ name: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .note, code: "history.unreadable-version",
      problem: "'\(name)' was not compared: \(ErrorReport(error).diagnostics.first?.problem ?? "it cannot be read")",
      remedy: "if an app was released with it, compare with the model of that app: --baseline PATH")
  }
}
