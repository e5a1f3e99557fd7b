import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftXML

/// Reads the models of a project from a revision of its repository and of its submodules.
struct GitBaseline {
  /// A commit that users have.
  private struct Release {
    /// The name for messages: that of a tag or of a branch.
    var name: String
    var commit: String
    /// The name for commands of git.
    var revision: String
    var place = Place.earlier
  }

  /// The place of a release in the history of the checked commit.
  private enum Place {
    case earlier
    case otherBranch
    /// The release follows the commit: it only shows which of the commit's versions are released.
    case later
  }

  /// A repository, and the commit that its files are compared with.
  private struct Part {
    var repository: GitRepository
    var base: Release
    /// The checked commit; `nil` in a submodule.
    var head: String?
    /// The releases, those to prefer first; `nil` if all versions of the commit are released.
    var releases: [Release]?
  }

  /// A version's file.
  private struct File {
    var path: ModelFilePath
    var object: String
    var release: Release

    var contents: String { "\(path.folder)/contents" }
  }

  /// The number of releases of other branches whose models are looked for in all folders.
  private static let mostSearched = 20

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
    let tip = try revision.map(repository.commit)
    let releases = try pattern.map { pattern in
      let tags: [(Place, [GitRepository.Tag])] = [
        (.earlier, try repository.tags(pattern, upTo: head)),
        (.otherBranch, try repository.tags(pattern, besides: head, tip)),
        (.later, try repository.tags(pattern, after: head)),
      ]
      return tags.flatMap { place, tags in
        tags.map { Release(name: $0.name, commit: $0.commit, revision: $0.name, place: place) }
      }
    }
    if let pattern, releases?.isEmpty == true {
      throw Diagnostic(
        .error, code: "history.no-release", problem: "no tag matches '\(pattern)', so no version is released",
        remedy: "check the pattern ('*' does not match '/'), or fetch the tags ('git fetch --tags')")
    }
    // A release is compared with the one before it, unless there is already something new.
    let isRelease = try releases?.first?.commit == head && !repository.changedFiles(since: head).contains(where: isPart)
    let newest = (isRelease ? releases?.first { $0.commit != head } : nil) ?? releases?.first
    let (name, commit) =
      revision.flatMap { name in tip.map { (name, $0) } } ?? newest.map { ($0.name, $0.commit) } ?? ("HEAD", head)
    let base = try repository.mergeBase(commit, head, name)
    var reading = GitBaseline(places, sources, io)
    try reading.read(
      Part(
        repository: repository,
        base: Release(name: name, commit: base, revision: base == commit ? name : String(base.prefix(10))), head: head,
        releases: releases))
    return Baseline(
      title: "'\(name)' (\(base.prefix(7)))", models: reading.models, removedMappings: reading.removedMappings,
      notes: reading.notes, changedFiles: reading.changed, root: repository.root.path)
  }

  /// True for the path of a file of a model or a mapping.
  private static func isPart(_ path: String) -> Bool {
    ModelFilePath(path) != nil || [".xccurrentversion", ".xml"].contains(where: path.hasSuffix)
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
    let (repository, root) = (part.repository, part.repository.root.path)
    let entries = try repository.files(of: part.base.commit)
    let index = try repository.index()
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
    let changedHere = try repository.changedFiles(since: part.base.commit).union(index.unwatched.filter(exists))
    changed.formUnion(changedHere.map { "\(root)/\($0)" })
    var files = self.files(in: entries, of: part.base, root)
    var current = currentVersionFiles(in: entries)
    let objects = Dictionary(files.map { ($0.contents, $0.object) }) { first, _ in first }
    let names = Dictionary(grouping: files, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    var committed: [File] = []
    if let releases = part.releases {
      committed = files
      if let head = part.head { committed += self.files(in: try repository.files(of: head), of: part.base, root) }
      // A bundle may have been moved or removed since a release.
      let searched = releases.prefix(1) + releases.filter { $0.place == .otherBranch }.prefix(Self.mostSearched)
      let found = try searched.flatMap { self.files(in: try repository.files(of: $0.commit), of: $0, root) }
      let released = try self.released(Set((files + found).map(\.path.bundle)).sorted(), releases, repository)
      let objects = Set(committed.map(\.object))
      files = released.files.filter { $0.release.place != .later || objects.contains($0.object) }
      // Users have the baseline's current version if any release has it.
      let paths = Set(files.map(\.path))
      let known = try currentNames(released.current.merging(current) { $1 }, repository).filter { bundle, name in
        paths.contains { $0.bundle == bundle && $0.version == name }
      }
      current = current.filter { known[$0.key] != nil }.merging(released.current) { own, _ in own }
    }
    let known = Dictionary(grouping: files, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    let leftOut = Dictionary(
      index.entries.filter { index.unwatched.contains($0.path) && !exists($0.path) }.map { ($0.path, $0.object) },
      uniquingKeysWith: { first, _ in first })
    // A file that has not changed was read from the working tree.
    let unchanged = { [present] (file: File) -> ModelSource.Version? in
      guard objects[file.contents] == file.object, !changedHere.contains(file.contents) else { return nil }
      return present["\(root)/\(file.path.folder)"]
    }
    files.removeAll { unchanged($0) == nil && leftOut[$0.contents] == $0.object }
    let countBefore = models.count
    try add(files, known, committed, current: try currentNames(current, repository), unchanged, repository)
    for place in models.indices.dropFirst(countBefore) {
      models[place].namesInBaseline = names[models[place].restoringPath ?? ""] ?? []
    }
    try addRemovedMappings(entries.filter { changedHere.contains($0.path) }, part)
    for entry in entries where entry.isSubmodule && places.concern("\(root)/\(entry.path)") {
      readSubmodule(entry, of: part, index.entries.filter(\.isSubmodule))
    }
  }

  /// Returns the names of current versions, by bundle.
  private func currentNames(_ files: [String: String], _ repository: GitRepository) throws -> [String: String] {
    let bundles = files.keys.sorted()
    let contents = try repository.contents(of: bundles.compactMap { files[$0] })
    return Dictionary(uniqueKeysWithValues: zip(bundles, contents)).compactMapValues { data in
      try? CurrentVersionFile.versionName(in: data, file: ".xccurrentversion")
    }
  }

  /// Reads the mapping files among changed and removed files, as they were.
  private mutating func addRemovedMappings(_ entries: [GitRepository.Entry], _ part: Part) throws {
    let removed = entries.filter { $0.path.hasSuffix(".xml") && !$0.isSubmodule }
    for (entry, data) in zip(removed, try part.repository.contents(of: removed.map(\.object))) {
      guard let path = places.shown("\(part.repository.root.path)/\(entry.path)"), places.areReleased(path),
        let mapping = MappingSource(data: data, path: path)
      else { continue }
      removedMappings.append(RemovedMapping(release: part.base.name, mapping: mapping))
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
            return try read(submodule, commit, entry.path, of: part)
          }
        }
        throw Diagnostic(
          .warning, code: "history.removed-submodule",
          problem: "submodule '\(entry.path)' of '\(part.base.name)' was removed, so its models were not compared",
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
            "submodule '\(entry.path)' does not have the commit that '\(part.base.name)' names, so its models were not "
            + "compared",
          remedy: "fetch its history: 'git submodule update --init --no-single-branch', without '--depth'")
      }
      try read(submodule, commit, entry.path, of: part)
    } catch {
      notes += ErrorReport(error).diagnostics.map { (entry.path, $0) }
    }
  }

  /// Reads a submodule at the commits that the releases name.
  private mutating func read(_ submodule: GitRepository, _ commit: String, _ path: String, of part: Part) throws {
    let base = Release(name: part.base.name, commit: commit, revision: String(commit.prefix(10)))
    let hasModels = try submodule.files(of: commit).contains { ModelFilePath($0.path) != nil }
    guard let releases = part.releases, hasModels else {
      return try read(Part(repository: submodule, base: base))
    }
    var seen: Set<String> = []
    let released = try releases.compactMap { release -> Release? in
      guard let commit = try part.repository.submoduleCommit(path, in: release.commit), seen.insert(commit).inserted,
        (try? submodule.commit(commit)) != nil
      else { return nil }
      return Release(
        name: release.name, commit: commit, revision: String(commit.prefix(10)),
        place: release.place
      )
    }
    try read(Part(repository: submodule, base: base, head: try? submodule.commit("HEAD"), releases: released))
  }

  /// Returns the models' files that the check is about.
  private func files(in entries: [GitRepository.Entry], of release: Release, _ root: String) -> [File] {
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

  /// Returns the files of bundles in releases, each contents of a version with the first release that has it, and the files
  /// that name current versions, of the first release that has the bundle.
  private func released(
    _ bundles: [String], _ releases: [Release], _ repository: GitRepository
  ) throws -> (files: [File], current: [String: String]) {
    let names = releases.flatMap { release in bundles.map { (release: release, bundle: $0) } }
    let trees = try repository.objects(
      names.map { $0.bundle.isEmpty ? "\($0.release.commit)^{tree}" : "\($0.release.commit):\($0.bundle)" })
    var (files, current) = ([File](), [String: String]())
    var (seen, seenBundles, contents) = (Set<[String]>(), Set<String>(), [String: [GitRepository.Entry]]())
    for (name, tree) in zip(names, trees) {
      guard let tree else { continue }
      let entries = try contents[tree] ?? repository.files(of: tree)
      contents[tree] = entries
      let start = name.bundle.isEmpty ? "" : "\(name.bundle)/"
      for entry in entries {
        guard var path = ModelFilePath(start + entry.path) else { continue }
        path.bundle = name.bundle
        guard seen.insert([path.folder, entry.object]).inserted else { continue }
        files.append(File(path: path, object: entry.object, release: name.release))
      }
      if seenBundles.insert(name.bundle).inserted {
        current[name.bundle] = entries.first { $0.path == ".xccurrentversion" }?.object
      }
    }
    return (files, current)
  }

  /// - Parameters:
  ///   - committed: The files of the baseline and of the checked commit, if there are releases.
  ///   - current: The names of the current versions, by bundle.
  private mutating func add(
    _ files: [File], _ known: [String: Set<String>], _ committed: [File], current: [String: String],
    _ unchanged: (File) -> ModelSource.Version?, _ repository: GitRepository
  ) throws {
    let root = repository.root.path
    let committedObjects = Dictionary(grouping: committed, by: \.path).mapValues { Set($0.map(\.object)) }
    let committedSet = Set(committed.map(\.object))
    // Those that the baseline and the checked commit do not have, in this form at least.
    let doubtful = Set(files.filter { $0.release.place == .earlier && !committedSet.contains($0.object) }.map(\.object))
    let compared = files.filter { doubtful.contains($0.object) }.flatMap { committedObjects[$0.path] ?? [] }
    let objects = Array(Set(files.filter { unchanged($0) == nil }.map(\.object) + compared))
    let contents = Dictionary(uniqueKeysWithValues: zip(objects, try repository.contents(of: objects)))
    func model(_ object: String, _ file: File) throws -> ManagedObjectModel {
      var model = try ModelReader.read(data: contents[object] ?? Data(), file: "\(file.release.name):\(file.contents)")
        .validModel()
      model.name = file.path.version
      return model
    }
    let filesByBundle = Dictionary(grouping: files, by: \.path.bundle)
    for bundle in known.keys.sorted() {
      var versions: [ReleasedModel.Version] = []
      for file in filesByBundle[bundle] ?? [] {
        do {
          let read = try unchanged(file)?.model ?? model(file.object, file)
          // Another release may have the same version in another layout.
          guard !versions.contains(where: { $0.name == file.path.version && $0.model.isSameVersion(as: read) }) else {
            continue
          }
          let wasLost =
            !committed.isEmpty && doubtful.contains(file.object)
            && !(committedObjects[file.path] ?? []).contains { object in
              (try? model(object, file))?.isSameVersion(as: read) == true
            }
          versions.append(
            .init(
              name: file.path.version, release: file.release.name, revision: file.release.revision,
              isOnOtherBranch: file.release.place == .otherBranch, wasLostBefore: wasLost, model: read))
        } catch {
          let path = places.shown("\(root)/\(file.path.folder)") ?? file.path.folder
          notes.append((path, unreadable("\(file.release.name):\(file.contents)", error)))
        }
      }
      let names = known[bundle] ?? []
      models.append(
        ReleasedModel(
          path: places.shown(bundle.isEmpty ? root : "\(root)/\(bundle)") ?? bundle, restoringPath: bundle,
          repository: root, versions: versions.sorted { $0.name.precedesAsCounted($1.name) }, knownNames: names,
          currentVersionName: current[bundle] ?? (names.count == 1 ? names.first : nil)))
    }
  }

  private func unreadable(_ name: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .note, code: "history.unreadable-version",
      problem: "'\(name)' was not compared: \(ErrorReport(error).diagnostics.first?.problem ?? "it cannot be read")",
      remedy: "if an app was released with it, compare with the model of that app: --baseline PATH")
  }
}
