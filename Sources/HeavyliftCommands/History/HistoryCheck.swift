import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The rules of a model's history: a released version is never changed or removed, and a changed model is a new version
/// that stores can be migrated to.
struct HistoryCheck {
  /// The findings, each with the path that it is about.
  var findings: [(name: String, diagnostic: Diagnostic)] = []
  /// Mistakes that were made before the baseline.
  var oldFindings: [Diagnostic] = []
  /// The migrations that users of the release need.
  var hops: [HopReview] = []
  /// The new versions of each model, by its path.
  private(set) var newVersions: [(model: String, versions: [String])] = []

  let baseline: Baseline
  let sources: [ModelSource]
  let mappings: [MappingSource]
  let io: CommandIO
  lazy var tests = MigrationTestSources(below: project, io)
  let project: String
  let places: CheckedPlaces

  /// - Parameter project: The folder that has the tests, too.
  init(
    _ baseline: Baseline, _ sources: [ModelSource], _ mappings: [MappingSource], in project: String,
    _ places: CheckedPlaces, _ io: CommandIO
  ) {
    self.places = places
    self.project = project
    self.baseline = baseline
    self.sources = sources
    // The mappings of tests do not migrate users' stores.
    self.mappings = mappings.filter { places.areReleased($0.path) }
    self.io = io
    (findings, oldFindings) = (baseline.notes, baseline.oldNotes)
    var checked: Set<String> = []
    for (released, source) in zip(baseline.models, counterparts) {
      guard let source else {
        reportRemoved(released)
        continue
      }
      // A release may have had the model in another folder.
      let isFirst = checked.insert(source.path).inserted
      if isFirst { check(source, released) } else { checkVersions(of: released, in: source, new: []) }
    }
    for mapping in baseline.removedMappings { reportRemoved(mapping) }
  }

  /// - Parameter isOld: True for a mistake that was made before the baseline.
  mutating func report(
    _ severity: Diagnostic.Severity, code: String, _ problem: String, _ remedy: String, about path: String,
    at location: DiagnosticLocation? = nil, isOld: Bool = false
  ) {
    let finding = Diagnostic(severity, code: code, problem: problem, remedy: remedy, location: location)
    if isOld { oldFindings.append(finding) } else { findings.append((path, finding)) }
  }

  /// True if nothing that the migrations of a model depend on has changed since the baseline.
  private func isUntouched(_ source: ModelSource) -> Bool {
    let files = [source.path] + mappings.map(\.path)
    return baseline.removedMappings.isEmpty
      && !files.contains { baseline.isChanged(CheckedPlaces.absolute($0, io.directory)) }
  }

  /// How to get back what was released.
  ///
  /// - Parameters:
  ///   - name: The name of the version; `nil` for the whole model.
  ///   - source: The model as it is now; `nil` if it is gone.
  private func restoring(
    _ released: ReleasedModel, _ name: String?, from version: ReleasedModel.Version, in source: ModelSource?
  ) -> String {
    guard let bundle = released.restoringPath, let repository = released.repository else {
      return "restore it from '\(version.release)'"
    }
    // A submodule has a history of its own.
    guard repository == baseline.root else { return "restore it in the submodule" }
    let isInside = CheckedPlaces.absolute(".", io.directory).appending("/").hasPrefix("\(repository)/")
    let git = isInside ? "git" : "git -C \(repository.shellQuoted)"
    let isLoose = bundle.hasSuffix(".xcdatamodel")
    let path = [bundle, isLoose ? "" : name.map { "\($0).xcdatamodel" } ?? ""].filter { !$0.isEmpty }.joined(
      separator: "/")
    guard let source, io.url(source.path).standardizedFileURL != io.url(released.path).standardizedFileURL else {
      return "restore it: \(git) checkout \(version.revision.shellQuoted) -- \(":/\(path)".shellQuoted)"
    }
    // The model was moved since.
    let target =
      source.kind == .bundle
      ? "\(source.path.withoutTrailingSlashes)/\(version.name).xcdatamodel" : source.path.withoutTrailingSlashes
    return "restore it: mkdir -p \(target.shellQuoted) && \(git) show "
      + "\("\(version.revision):\(path)/contents".shellQuoted) > \("\(target)/contents".shellQuoted)"
  }

  private mutating func reportRemoved(_ released: ReleasedModel) {
    guard let version = released.versions.last else { return }
    report(
      .error, code: "history.removed-model",
      "the model '\(released.path)' is in '\(version.release)', and no longer in the project",
      "\(restoring(released, nil, from: version, in: nil))\n  or accept this if no app that has it is in use",
      about: released.path, isOld: released.versions.allSatisfy(\.wasLostBefore))
  }

  private mutating func check(_ source: ModelSource, _ released: ReleasedModel) {
    let new = source.versions.filter { version in
      !released.versions.contains { $0.model.isSameVersion(as: version.model) }
        && !released.knownNames.contains(version.name)
    }
    if !new.isEmpty { newVersions.append((source.path, new.map(\.name))) }
    let isOld = isUntouched(source)
    checkVersions(of: released, in: source, new: new)
    if new.count > 1 {
      report(
        .warning, code: "history.several-new-versions",
        "\(new.map(\.name).quotedList) are \(baseline.hasReleases ? "in no release" : "new since \(baseline.title)"); users "
          + "only get stores of the current one",
        "make one version of them, unless testers already have stores of the others", about: source.path,
        isOld: isOld)
    }
    if checkCurrent(source, released, new, isOld: isOld) { review(source, released, isOld: isOld) }
  }

  /// Reports the released versions that the model does not have.
  private mutating func checkVersions(
    of released: ReleasedModel, in source: ModelSource, new: [ModelSource.Version]
  ) {
    for version in released.versions {
      let kept =
        source.versions.first { $0.model.isSameVersion(as: version.model) && $0.name == version.name }
        ?? source.versions.first { $0.model.isSameVersion(as: version.model) }
      if let kept {
        if version.isInBaseline { checkRenamings(version, of: source, kept) }
        continue
      }
      if let present = source.versions.first(where: { $0.name == version.name }) {
        reportChanged(version, of: released, present, in: source, new)
      } else if !isThere(version, in: source) {
        reportMissing(version, of: released, source)
      }
    }
  }

  private mutating func checkRenamings(
    _ version: ReleasedModel.Version, of source: ModelSource, _ present: ModelSource.Version
  ) {
    let lost = LostRenamings(from: version.model, to: present.model)
    guard !lost.isEmpty else { return }
    report(
      .warning, code: "history.lost-renaming",
      "version '\(version.name)' has lost the renaming ID \(lost.list): stores of older versions would lose what was renamed",
      "write it again: no hash covers it", about: source.path(of: present), at: lost.location)
  }

  /// True if a version's file exists, but was not read: because of mistakes, or because a sparse checkout leaves it out.
  private func isThere(_ version: ReleasedModel.Version, in source: ModelSource) -> Bool {
    let path = "\(source.path)/\(version.name).xcdatamodel"
    return FileManager.default.fileExists(atPath: io.url(path).path)
      || source.diagnostics.contains { $0.location?.file?.hasPrefix("\(path)/") == true }
  }

  private mutating func reportChanged(
    _ version: ReleasedModel.Version, of released: ReleasedModel, _ present: ModelSource.Version,
    in source: ModelSource, _ new: [ModelSource.Version]
  ) {
    let changes = VersionChanges(from: version.model, to: present.model)
    let path = source.path(of: present)
    let references = mappings.filter { mapping in
      [mapping.mappingModel.source.name, mapping.mappingModel.destination.name].contains(version.name)
    }.map(\.path)
    let restoring = restoring(released, version.name, from: version, in: source)
    let problem =
      "version \(version.name.quotedName) is in '\(version.release)', and has changed since, so stores of that release "
      + "would not be recognized:\(changes.list)"
      + (references.isEmpty ? "" : "\n  \(references.quotedPaths) \(references.count == 1 ? "refers" : "refer") to it")
    let location = changes.location ?? DiagnosticLocation(file: "\(path)/contents", line: 1, column: 1)
    if present.name == source.currentVersionName || source.versions.count == 1, new.isEmpty {
      report(
        .error, code: "history.no-new-version", problem,
        "\(restoring)\n  then add a version (in Xcode: Editor > Add Model Version), and make the change there",
        about: path, at: location, isOld: version.wasLostBefore)
    } else {
      report(
        .error, code: "history.changed-version", problem, restoring, about: path, at: location,
        isOld: version.wasLostBefore)
    }
  }

  private mutating func reportMissing(
    _ version: ReleasedModel.Version, of released: ReleasedModel, _ source: ModelSource
  ) {
    // A copy that was there before is not what the version became.
    let other = sources.first { other in
      other.path != source.path && places.areReleased(other.path)
        && other.versions.contains { copy in
          copy.model.isSameVersion(as: version.model)
            && baseline.isChanged(CheckedPlaces.absolute(other.path(of: copy), io.directory))
        }
    }
    if let other {
      report(
        .warning, code: "history.moved-version",
        "version \(version.name.quotedName) of '\(version.release)' is now in '\(other.path)', where the app does not look "
          + "for it",
        "move it back, unless the app no longer supports stores of that version", about: source.path,
        isOld: version.wasLostBefore)
    } else {
      report(
        .error, code: "history.removed-version",
        "version \(version.name.quotedName) is in '\(version.release)', and was removed: its stores would not be recognized",
        "\(restoring(released, version.name, from: version, in: source))\n  or move "
          + "versions that are no longer in use out of the app with 'heavylift prune'", about: source.path,
        isOld: version.wasLostBefore)
    }
  }

  /// The current version must be the newest, and not older than that of the release.
  ///
  /// - Returns: False if it is older.
  private mutating func checkCurrent(
    _ source: ModelSource, _ released: ReleasedModel, _ new: [ModelSource.Version], isOld: Bool
  ) -> Bool {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) else { return true }
    let file = "\(source.path.withoutTrailingSlashes)/.xccurrentversion"
    let history = released.history
    let newer = released.currentVersions.filter { former in
      guard former.name != current.name, !former.model.isSameVersion(as: current.model),
        let place = history.firstIndex(where: { $0.name == current.name && $0.model.isSameVersion(as: current.model) }),
        let end = history.firstIndex(where: { $0.name == former.name && $0.model.isSameVersion(as: former.model) })
      else { return false }
      return place < end
    }
    if let former = newer.first(where: { $0.place == .sinceBaseline }) ?? newer.first {
      report(
        .error, code: "history.older-current-version",
        "the current version is \(current.name.quotedName), but '\(former.release)' has \(former.name.quotedName): its "
          + "stores would be newer than the app",
        "name \(former.name.quotedName) in '\(file)', or add a version with the old contents and a migration to it",
        about: file, isOld: released.currentNameInBaseline == current.name && former.place != .sinceBaseline)
      return false
    }
    if let last = new.last, last.name != current.name {
      report(
        .warning, code: "history.not-current",
        "version \(last.name.quotedName) is new, but \(current.name.quotedName) is the current one",
        "choose \(last.name.quotedName) in Xcode's file inspector, or name it in '\(file)', before the release",
        about: file, isOld: isOld)
    }
    return true
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellQuoted: String {
    isEmpty || contains(/[^A-Za-z0-9_\/.,:+=@-]/) ? "'\(replacing("'", with: "'\\''"))'" : self
  }
}
