import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftXML

/// Reads the models of a project from a revision of its repository and of its submodules.
struct GitBaseline {
  /// A commit that users have.
  struct Release {
    /// The name for messages: that of a tag or of a branch.
    var name: String
    var commit: String
    /// The name for commands of git.
    var revision: String
    var place = ReleasePlace.beforeBaseline
    /// The number of releases before it; 0 for a baseline.
    var number = 0

    init(name: String, commit: String, revision: String, place: ReleasePlace = .beforeBaseline, number: Int = 0) {
      (self.name, self.commit, self.revision, self.place, self.number) = (name, commit, revision, place, number)
    }

    init(_ tag: GitRepository.Tag, _ place: ReleasePlace, number: Int) {
      // A name that starts with a dash would be an option.
      let revision = tag.name.hasPrefix("-") ? String(tag.commit.prefix(10)) : tag.name
      self.init(name: tag.name, commit: tag.commit, revision: revision, place: place, number: number)
    }
  }

  /// A repository, and the commit that its files are compared with.
  struct Part {
    var repository: GitRepository
    var base: Release
    /// The checked commit; `nil` if there are no releases.
    var head: String?
    /// The tip of the branch to merge into; `nil` in a submodule.
    var tip: String?
    /// The releases, those to prefer first; `nil` if all versions of the commit are released.
    var releases: [Release]?
  }

  /// A version's file.
  struct File {
    var path: ModelFilePath
    var object: String
    var release: Release
    /// The number of the first release that has it.
    var firstRelease = 0

    var contents: String { "\(path.folder)/contents" }
  }

  /// The number of releases of other branches whose models are looked for in all folders.
  private static let mostSearched = 20

  let places: CheckedPlaces
  /// The versions of the working tree by the absolute path of their folder.
  private let present: [String: ModelSource.Version]
  /// The absolute paths of folders that are bundles, although they are not named like one.
  private let looseBundles: Set<String>
  private var changed: Set<String> = []
  private var models: [ReleasedModel] = []
  private var removedMappings: [RemovedMapping] = []
  var notes: [(name: String, diagnostic: Diagnostic)] = []
  var oldNotes: [Diagnostic] = []

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
    let fork = try tip.map { try repository.mergeBase($0, head, revision ?? "") }
    var merged = try pattern.map { try repository.tags($0, upTo: head) } ?? []
    // A release is compared with the one before it, unless there is already something new.
    if merged.contains(where: { $0.commit != head }), merged.contains(where: { $0.commit == head }),
      try !repository.changedFiles(since: head).contains(where: isPart)
    {
      merged.removeAll { $0.commit == head }
    }
    var besides = try pattern.map { try repository.tags($0, besides: head) } ?? []
    var later = try pattern.map { try repository.tags($0, after: head) } ?? []
    if let pattern, let tip, let fork {
      // Releases of the other branch, or that were cut from it, since this one left it.
      let others = Set(
        try repository.tags(pattern, upTo: tip) + repository.tags(pattern, onCommitsOf: tip, after: fork))
      later += besides.filter(others.contains)
      besides.removeAll(where: others.contains)
    }
    let newest = (merged + besides + later).first
    if let pattern, newest == nil {
      throw Diagnostic(
        .error, code: "history.no-release", problem: "no tag matches '\(pattern)', so no version is released",
        remedy: "check the pattern ('*' does not match '/'), or fetch the tags ('git fetch --tags')")
    }
    let (name, commit) =
      revision.flatMap { name in tip.map { (name, $0) } } ?? newest.map { ($0.name, $0.commit) } ?? ("HEAD", head)
    let base = try fork ?? repository.mergeBase(commit, head, name)
    let releases = try pattern.map { pattern in
      let earlier = Set(try repository.tags(pattern, upTo: base))
      let tags =
        merged.map { ($0, earlier.contains($0) ? ReleasePlace.beforeBaseline : .sinceBaseline) }
        + besides.map { ($0, .otherBranch) } + later.map { ($0, .later) }
      let ordered = tags.map(\.0).sorted { $0.time != $1.time ? $0.time < $1.time : $0.name.precedesAsCounted($1.name) }
      let numbers = Dictionary(uniqueKeysWithValues: zip(ordered, 1...))
      return tags.map { tag, place in Release(tag, place, number: numbers[tag] ?? 0) }
    }
    var reading = GitBaseline(places, sources, io)
    try reading.read(
      Part(
        repository: repository,
        base: Release(name: name, commit: base, revision: base == commit ? name : String(base.prefix(10))), head: head,
        tip: tip, releases: releases))
    return Baseline(
      title: "'\(name)' (\(base.prefix(7)))", models: reading.models, removedMappings: reading.removedMappings,
      notes: reading.notes, oldNotes: reading.oldNotes, changedFiles: reading.changed, root: repository.root.path,
      hasReleases: releases != nil)
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

  mutating func read(_ part: Part) throws {
    let (repository, root) = (part.repository, part.repository.root.path)
    let entries = try repository.files(of: part.base.commit)
    let index = try repository.index()
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }
    let changedHere = try repository.changedFiles(since: part.base.commit).union(index.unwatched.filter(exists))
    changed.formUnion(changedHere.map { "\(root)/\($0)" })
    let baseFiles = self.files(in: entries, of: part.base, root)
    let objects = Dictionary(baseFiles.map { ($0.contents, $0.object) }) { first, _ in first }
    // A file that has not changed was read from the working tree.
    let unchanged = { [present] (file: File) -> ModelSource.Version? in
      guard objects[file.contents] == file.object, !changedHere.contains(file.contents) else { return nil }
      return present["\(root)/\(file.path.folder)"]
    }
    var files = baseFiles
    var current = Dictionary(grouping: baseFiles, by: \.path.bundle).compactMapValues { files in
      files.count == 1 ? [CurrentVersion.name(files[0].path.version)] : nil
    }
    for (bundle, object) in currentVersionFiles(in: entries) { current[bundle] = [.file(object)] }
    let currentInBase = try names(current, repository)
    var formerPaths: [String: [String]] = [:]
    var committed: Set<String> = []
    if let releases = part.releases {
      // A bundle may have been moved or removed since a release.
      let searched =
        releases.prefix(1)
        + releases.filter { $0.place != .beforeBaseline && $0.place != .later }.prefix(Self.mostSearched)
      let listed = try searched.map { ($0, try repository.files(of: $0.commit)) }
      let found = listed.flatMap { release, entries in self.files(in: entries, of: release, root) }
      let released = try self.released(Set((baseFiles + found).map(\.path.bundle)).sorted(), releases, repository)
      // The large listings are only needed for some releases.
      func objects(in commit: String?, _ isNeeded: (ReleasePlace) -> Bool) throws -> Set<String> {
        guard let commit, commit != part.base.commit, releases.contains(where: { isNeeded($0.place) }) else {
          return []
        }
        return Set(self.files(in: try repository.files(of: commit), of: part.base, root).map(\.object))
      }
      committed = try objects(in: part.head) { $0 == .later || $0 == .otherBranch }.union(baseFiles.map(\.object))
      // The other branch has these, and will bring them.
      let coming = try objects(in: part.tip) { $0 == .otherBranch }
      files = released.files.filter {
        $0.release.place != .otherBranch || committed.contains($0.object) || !coming.contains($0.object)
      }
      current.merge(released.current) { $0 + $1 }
      formerPaths = formerPathsOfSubmodules(in: listed, now: entries, repository)
    }
    let leftOut = Dictionary(
      index.entries.filter { index.unwatched.contains($0.path) && !exists($0.path) }.map { ($0.path, $0.object) },
      uniquingKeysWith: { first, _ in first })
    func isLeftOut(_ file: File) -> Bool { unchanged(file) == nil && leftOut[file.contents] == file.object }
    let certain = files.filter { $0.release.place != .later || committed.contains($0.object) }
    let known = Dictionary(grouping: certain, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    let countBefore = models.count
    try add(
      files.filter { !isLeftOut($0) }, known, committed, baseFiles.filter { !isLeftOut($0) }, unchanged, repository)
    let names = Dictionary(grouping: baseFiles, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    let currentNames = try self.names(current, repository)
    for place in models.indices.dropFirst(countBefore) {
      let bundle = models[place].restoringPath ?? ""
      models[place].namesInBaseline = names[bundle] ?? []
      // Versions that no release has do not count.
      models[place].currentNames = (currentNames[bundle] ?? []).filter(models[place].knownNames.contains)
      models[place].currentNameInBaseline = currentInBase[bundle]?.first
    }
    // Those of the baseline first: a release may have had a model in another folder.
    models[countBefore...].sort { !$0.namesInBaseline.isEmpty && $1.namesInBaseline.isEmpty }
    try addRemovedMappings(entries.filter { changedHere.contains($0.path) }, part)
    for entry in entries where entry.isSubmodule && places.concern("\(root)/\(entry.path)") {
      readSubmodule(entry, formerPaths[entry.path] ?? [], of: part, index.entries.filter(\.isSubmodule))
    }
  }

  /// A bundle's current version, as a revision has it.
  private enum CurrentVersion: Hashable {
    /// The file that names it.
    case file(String)
    /// The only version.
    case name(String)
  }

  /// Returns the names of current versions, by bundle.
  private func names(
    _ current: [String: [CurrentVersion]], _ repository: GitRepository
  ) throws -> [String: [String]] {
    let objects = Set(current.values.joined().compactMap { if case .file(let object) = $0 { object } else { nil } })
      .sorted()
    let names = Dictionary(
      uniqueKeysWithValues: zip(objects, try repository.contents(of: objects)).map { object, data in
        (object, try? CurrentVersionFile.versionName(in: data, file: ".xccurrentversion"))
      })
    return current.mapValues { versions in
      var seen: Set<String> = []
      return versions.compactMap { version in
        switch version {
        case .file(let object): names[object] ?? nil
        case .name(let name): name
        }
      }.filter { seen.insert($0).inserted }
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

  /// Returns the files of bundles in releases, each contents of a version with the first release that has it, and the current
  /// versions of the bundles.
  private func released(
    _ bundles: [String], _ releases: [Release], _ repository: GitRepository
  ) throws -> (files: [File], current: [String: [CurrentVersion]]) {
    let names = releases.flatMap { release in bundles.map { (release: release, bundle: $0) } }
    let trees = try repository.objects(
      names.map { $0.bundle.isEmpty ? "\($0.release.commit)^{tree}" : "\($0.release.commit):\($0.bundle)" })
    var (files, current) = ([File](), [String: [CurrentVersion]]())
    var (seen, contents) = ([[String]: Int](), [String: [GitRepository.Entry]]())
    for (name, tree) in zip(names, trees) {
      guard let tree else { continue }
      let entries = try contents[tree] ?? repository.files(of: tree)
      contents[tree] = entries
      let start = name.bundle.isEmpty ? "" : "\(name.bundle)/"
      let found = entries.compactMap { entry -> File? in
        guard var path = ModelFilePath(start + entry.path) else { return nil }
        path.bundle = name.bundle
        return File(path: path, object: entry.object, release: name.release, firstRelease: name.release.number)
      }
      for file in found {
        if let place = seen[[file.path.folder, file.object]] {
          files[place].firstRelease = min(files[place].firstRelease, file.firstRelease)
        } else {
          seen[[file.path.folder, file.object]] = files.count
          files.append(file)
        }
      }
      guard name.release.place != .later else { continue }
      if let file = entries.first(where: { $0.path == ".xccurrentversion" }) {
        current[name.bundle, default: []].append(.file(file.object))
      } else if found.count == 1 {
        current[name.bundle, default: []].append(.name(found[0].path.version))
      }
    }
    return (files, current)
  }

  /// - Parameters:
  ///   - known: The names of the versions of each bundle, including those that cannot be read.
  ///   - committed: The contents of the baseline's and the checked commit's versions, if there are releases.
  ///   - baseFiles: The files of the baseline.
  private mutating func add(
    _ files: [File], _ known: [String: Set<String>], _ committed: Set<String>, _ baseFiles: [File],
    _ unchanged: (File) -> ModelSource.Version?, _ repository: GitRepository
  ) throws {
    let root = repository.root.path
    let baseObjects = Set(baseFiles.map(\.object))
    // Those that the baseline does not have, in this form at least.
    let doubtful = Set(
      files.filter { [.beforeBaseline, .later].contains($0.release.place) && !baseObjects.contains($0.object) }
        .map(\.object))
    let compared = doubtful.isEmpty ? [] : baseFiles
    let objects = Array(Set((files + compared).filter { unchanged($0) == nil }.map(\.object)))
    let contents = Dictionary(uniqueKeysWithValues: zip(objects, try repository.contents(of: objects)))
    func model(_ file: File) throws -> ManagedObjectModel {
      if let version = unchanged(file) { return version.model }
      var model = try ModelReader.read(
        data: contents[file.object] ?? Data(), file: "\(file.release.name):\(file.contents)"
      ).validModel()
      model.name = file.path.version
      return model
    }
    let baseModels = compared.compactMap { try? model($0) }
    let filesByBundle = Dictionary(grouping: files, by: \.path.bundle)
    for bundle in Set(known.keys).union(filesByBundle.keys).sorted() {
      var versions: [ReleasedModel.Version] = []
      for file in filesByBundle[bundle] ?? [] {
        do {
          let read = try model(file)
          let isKept = baseModels.contains { $0.isSameVersion(as: read) }
          guard file.release.place != .later || isKept || committed.contains(file.object) else { continue }
          // Another release may have the same version in another layout, or under another name.
          var first = file.firstRelease
          for place in versions.indices where versions[place].model.isSameVersion(as: read) {
            first = min(first, versions[place].firstRelease)
            versions[place].firstRelease = first
          }
          guard !versions.contains(where: { $0.name == file.path.version && $0.model.isSameVersion(as: read) }) else {
            continue
          }
          versions.append(
            .init(
              name: file.path.version, release: file.release.name, revision: file.release.revision,
              place: file.release.place,
              wasLostBefore: file.release.place == .beforeBaseline && doubtful.contains(file.object) && !isKept,
              isInBaseline: baseObjects.contains(file.object), firstRelease: first, model: read))
        } catch {
          let path = places.shown("\(root)/\(file.path.folder)") ?? file.path.folder
          notes.append((path, unreadable("\(file.release.name):\(file.contents)", error)))
        }
      }
      let names = (known[bundle] ?? []).union(versions.map(\.name))
      guard !names.isEmpty else { continue }
      models.append(
        ReleasedModel(
          path: places.shown(bundle.isEmpty ? root : "\(root)/\(bundle)") ?? bundle, restoringPath: bundle,
          repository: root, versions: versions.sorted { $0.name.precedesAsCounted($1.name) },
          knownNames: names))
    }
  }

  private func unreadable(_ name: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .note, code: "history.unreadable-version",
      problem: "'\(name)' was not compared: \(ErrorReport(error).diagnostics.first?.problem ?? "it cannot be read")",
      remedy: "if an app was released with it, compare with the model of that app: --baseline PATH")
  }
}
