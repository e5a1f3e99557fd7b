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
  }

  /// A version's file.
  private struct File {
    var path: ModelFilePath
    var object: String
    var release: String
  }

  private let places: CheckedPlaces
  /// The versions of the working tree by their absolute path, with the bundle's first.
  private let present: [String: ModelSource.Version]
  private var changed: Set<String> = []
  private var models: [ReleasedModel] = []
  private var notes: [Diagnostic] = []

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
    let tags = try pattern.map { try repository.tags($0, upTo: head) } ?? []
    guard let name = revision ?? tags.first else {
      throw Diagnostic(
        .error, code: "history.no-release", problem: "no tag matches '\(pattern ?? "")', so no version is released",
        remedy: "check the pattern, fetch the tags ('git fetch --tags'), or name a revision with --since")
    }
    let commit = try repository.mergeBase(repository.commit(name), head)
    var reading = GitBaseline(places, sources, io)
    try reading.read(Part(repository: repository, commit: commit), name, tags)
    return Baseline(
      title: "'\(name)' (\(commit.prefix(7)))", models: reading.models, notes: reading.notes,
      changedFiles: reading.changed, root: repository.root.path)
  }

  private init(_ places: CheckedPlaces, _ sources: [ModelSource], _ io: CommandIO) {
    self.places = places
    let versions = sources.flatMap { source in
      source.versions.map { version in
        let path = CheckedPlaces.absolute(source.path, io.directory)
        return (source.kind == .bundle ? "\(path)/\(version.name).xcdatamodel" : path, version)
      }
    }
    present = Dictionary(versions) { first, _ in first }
  }

  /// - Parameters:
  ///   - name: The name of the revision, for messages.
  ///   - tags: The tags whose versions are released, newest first; empty if all versions of the revision are.
  private mutating func read(_ part: Part, _ name: String, _ tags: [String]) throws {
    let root = part.repository.root.path
    let entries = try part.repository.files(of: part.commit)
    let changedHere = try part.repository.changedFiles(since: part.commit)
    changed.formUnion(changedHere.map { "\(root)/\($0)" })
    var files = entries.compactMap { entry in
      ModelFilePath(entry.path).map { File(path: $0, object: entry.object, release: name) }
    }.filter { places.shown("\(root)/\($0.path.bundle)") != nil && CheckedPlaces.isReleased($0.path.bundle) }
    let known = Dictionary(grouping: files, by: \.path.bundle).mapValues { Set($0.map(\.path.version)) }
    let currentFiles = entries.filter { entry in
      entry.path.hasSuffix("/.xccurrentversion")
        && known[(entry.path as NSString).deletingLastPathComponent] != nil
    }
    let objects = Dictionary(files.map { ($0.path, $0.object) }) { first, _ in first }
    if !tags.isEmpty { files = try released(in: part.repository, bundles: known.keys.sorted(), tags) }
    let leftOut = Dictionary(
      try part.repository.filesLeftOut().map { ($0.path, $0.object) }, uniquingKeysWith: { first, _ in first })
    try add(files, known, current: currentFiles, objects, changedHere, leftOut, part.repository)
    for entry in entries where entry.isSubmodule {
      guard let submodule = part.repository.submodule(entry.path) else {
        if places.shown("\(root)/\(entry.path)") != nil {
          notes.append(
            Diagnostic(
              .note, code: "history.missing-submodule",
              problem: "submodule '\(entry.path)' is not there, so its models were not compared",
              remedy: "fetch it with 'git submodule update --init'"))
        }
        continue
      }
      try read(Part(repository: submodule, commit: submodule.commit(entry.object)), name, [])
    }
  }

  /// Returns the files of bundles in each tag, those of the newest tag that has a version first.
  private func released(in repository: GitRepository, bundles: [String], _ tags: [String]) throws -> [File] {
    let names = tags.flatMap { tag in bundles.map { (tag: tag, bundle: $0) } }
    let trees = try repository.objects(names.map { "\($0.tag):\($0.bundle)" })
    var (files, seen, contents) = ([File](), Set<ModelFilePath>(), [String: [GitRepository.Entry]]())
    for (name, tree) in zip(names, trees) {
      guard let tree else { continue }
      let entries = try contents[tree] ?? repository.files(of: tree)
      contents[tree] = entries
      for entry in entries {
        guard let path = ModelFilePath("\(name.bundle)/\(entry.path)"), seen.insert(path).inserted else { continue }
        files.append(File(path: path, object: entry.object, release: name.tag))
      }
    }
    return files
  }

  private mutating func add(
    _ files: [File], _ known: [String: Set<String>], current: [GitRepository.Entry], _ objects: [ModelFilePath: String],
    _ changed: Set<String>, _ leftOut: [String: String], _ repository: GitRepository
  ) throws {
    let root = repository.root.path
    func path(_ file: File) -> String {
      file.path.bundle.hasSuffix(".xcdatamodeld")
        ? "\(file.path.bundle)/\(file.path.version).xcdatamodel" : file.path.bundle
    }
    // A file that has not changed was read from the working tree.
    func unchanged(_ file: File) -> ModelSource.Version? {
      guard objects[file.path] == file.object, !changed.contains("\(path(file))/contents") else { return nil }
      return present["\(root)/\(path(file))"]
    }
    let others = files.filter { unchanged($0) == nil }
    let contents = try repository.contents(of: others.map(\.object) + current.map(\.object))
    let read = Dictionary(
      zip(others, contents).map { ("\($0.release):\(path($0))", $1) }, uniquingKeysWith: { first, _ in first })
    let currentNames = zip(current, contents.dropFirst(others.count)).map { entry, data in
      (
        (entry.path as NSString).deletingLastPathComponent,
        try? CurrentVersionFile.versionName(in: data, file: entry.path)
      )
    }
    for (bundle, files) in Dictionary(grouping: files, by: \.path.bundle).sorted(by: { $0.key < $1.key }) {
      var versions: [ReleasedModel.Version] = []
      for file in files {
        let model: ManagedObjectModel
        if let version = unchanged(file) {
          model = version.model
        } else if leftOut["\(path(file))/contents"] == file.object {
          continue
        } else {
          do {
            let name = "\(file.release):\(path(file))"
            var found = try ModelReader.read(data: read[name] ?? Data(), file: "\(name)/contents").validModel()
            found.name = file.path.version
            model = found
          } catch {
            notes.append(unreadable(file, path(file), error))
            continue
          }
        }
        versions.append(.init(name: file.path.version, release: file.release, model: model))
      }
      models.append(
        ReleasedModel(
          path: places.shown("\(root)/\(bundle)") ?? bundle,
          versions: versions.sorted { $0.name.precedesAsCounted($1.name) },
          knownNames: known[bundle] ?? [],
          currentVersionName: currentNames.first { $0.0 == bundle }?.1
            ?? (known[bundle]?.count == 1 ? known[bundle]?.first : nil)))
    }
  }

  private func unreadable(_ file: File, _ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .note, code: "history.unreadable-version",
      problem: "'\(file.release):\(path)' was not compared: \(ErrorReport(error).diagnostics.first?.problem ?? "")",
      remedy: "if an app was released with it, compare with the model of that app: --baseline PATH")
  }
}
