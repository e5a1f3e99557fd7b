import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The rules of a model's history: a released version is never changed or removed, and a changed model is a new version
/// that stores can be migrated to.
struct HistoryCheck {
  /// The findings, each with the path that it is about.
  private(set) var findings: [(name: String, diagnostic: Diagnostic)] = []
  /// Mistakes that were made before the baseline.
  private(set) var oldFindings: [Diagnostic] = []
  /// The migrations that users of the release need.
  private(set) var hops: [HopReview] = []
  /// The new versions of each model, by its path.
  private(set) var newVersions: [(model: String, versions: [String])] = []

  private let baseline: Baseline
  private let sources: [ModelSource]
  private let mappings: [MappingSource]
  private let io: CommandIO
  private lazy var tests = MigrationTestSources(below: project, io)
  private let project: String
  private let places: CheckedPlaces

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
    findings = baseline.notes
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

  /// The model in the project for each released one: the one at its place, or one that was moved or renamed.
  private var counterparts: [ModelSource?] {
    var taken: Set<String> = []
    var found = baseline.models.map { released -> ModelSource? in
      guard !released.versions.isEmpty else { return nil }
      let source = sources.first { io.url($0.path).standardizedFileURL == io.url(released.path).standardizedFileURL }
      if let source { taken.insert(source.path) }
      return source
    }
    for (place, released) in baseline.models.enumerated() where found[place] == nil && !released.versions.isEmpty {
      let candidates = sources.filter { places.areReleased($0.path) && !isInOtherRepository($0.path) }
      func rank(_ source: ModelSource) -> (Int, Int) {
        let isNamesake = MigrationCode.modelName(path: source.path) == MigrationCode.modelName(path: released.path)
        return (sameVersions(source, released), isNamesake ? 1 : 0)
      }
      let free = candidates.filter { !taken.contains($0.path) }.max { rank($0) < rank($1) }
      if let free, rank(free) > (0, 0) {
        found[place] = free
        taken.insert(free.path)
      } else if let shared = candidates.max(by: { rank($0) < rank($1) }), rank(shared) > (1, 0) {
        found[place] = shared
      }
    }
    return found
  }

  /// True for a file in another clone or working tree of a repository, inside the project's.
  private func isInOtherRepository(_ path: String) -> Bool {
    guard let root = baseline.root else { return false }
    var folder = CheckedPlaces.absolute(path, io.directory).deletingLastPathComponent
    while folder.count > root.count {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: "\(folder)/.git", isDirectory: &isFolder) {
        // A submodule has a file that leads to its repository in that of the project.
        let isWorkingTree = (try? String(contentsOfFile: "\(folder)/.git", encoding: .utf8))?.contains("/worktrees/")
        return isFolder.boolValue || isWorkingTree == true
      }
      folder = folder.deletingLastPathComponent
    }
    return false
  }

  private func sameVersions(_ source: ModelSource, _ released: ReleasedModel) -> Int {
    released.versions.count { version in source.versions.contains { $0.model.isSameVersion(as: version.model) } }
  }

  /// - Parameter isOld: True for a mistake that was made before the baseline.
  private mutating func report(
    _ severity: Diagnostic.Severity, code: String, _ problem: String, _ remedy: String, about path: String,
    at location: DiagnosticLocation? = nil, isOld: Bool = false
  ) {
    let finding = Diagnostic(severity, code: code, problem: problem, remedy: remedy, location: location)
    if isOld { oldFindings.append(finding) } else { findings.append((path, finding)) }
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
    let folder = name.map { bundle.hasSuffix(".xcdatamodel") ? "" : "\($0).xcdatamodel" } ?? ""
    let path = [bundle, folder].filter { !$0.isEmpty }.joined(separator: "/")
    guard let source, io.url(source.path).standardizedFileURL != io.url(released.path).standardizedFileURL else {
      return "restore it: git checkout \(version.revision.shellQuoted) -- \(":/\(path)".shellQuoted)"
    }
    // The model was moved since.
    let target = [source.path.withoutTrailingSlashes, folder].filter { !$0.isEmpty }.joined(separator: "/")
    return
      "restore it: mkdir -p \(target.shellQuoted) && git show \("\(version.revision):\(path)/contents".shellQuoted)"
      + " > \("\(target)/contents".shellQuoted)"
  }

  private mutating func reportRemoved(_ released: ReleasedModel) {
    guard let version = released.versions.last else { return }
    report(
      .error, code: "history.removed-model",
      "the model '\(released.path)' is in '\(version.release)', and no longer in the project",
      "\(restoring(released, nil, from: version, in: nil))\n  or accept this if no app that has it is in use",
      about: released.path, isOld: released.versions.allSatisfy(\.wasLostBefore))
  }

  private mutating func reportRemoved(_ removed: RemovedMapping) {
    let (source, destination) = (version(.source, of: removed.mapping), version(.destination, of: removed.mapping))
    // Another file may lead from the version: one that was moved or changed, or that leads on to another version.
    guard let source, isKnown(source), destination.map(isKnown) ?? true,
      baseline.models.contains(where: { $0.versions.contains { $0.name == source } }),
      !mappings.contains(where: { mapping in
        version(.source, of: mapping) == source
          && (version(.destination, of: mapping) != destination
            || baseline.isChanged(CheckedPlaces.absolute(mapping.path, io.directory)))
      })
    else { return }
    report(
      .error, code: "history.removed-mapping",
      "the mapping '\(removed.mapping.path)' of '\(removed.release)', which leads from '\(source)' to "
        + "\((destination ?? "any version").quotedName), was removed: stores of '\(source)' would be migrated without it",
      "restore it, or accept this if no app has stores of '\(source)'", about: removed.mapping.path)
  }

  private func isKnown(_ version: String) -> Bool { sources.contains { $0.versions.contains { $0.name == version } } }

  /// The name of the version that a mapping is for. Xcode's file may have an old name for the model that it contains.
  private func version(_ side: MappingSide, of mapping: MappingSource) -> String? {
    let (model, named) =
      side == .source
      ? (mapping.embeddedModels.source, mapping.mappingModel.source.name)
      : (mapping.embeddedModels.destination, mapping.mappingModel.destination.name)
    let version = model.flatMap { model in
      sources.lazy.flatMap(\.versions).first { $0.model.isSameVersion(as: model) }
    }
    return version?.name ?? named
  }

  // MARK: One model

  private mutating func check(_ source: ModelSource, _ released: ReleasedModel) {
    let new = source.versions.filter { version in
      !released.versions.contains { $0.model.isSameVersion(as: version.model) }
        && !released.knownNames.contains(version.name)
    }
    if !new.isEmpty { newVersions.append((source.path, new.map(\.name))) }
    checkVersions(of: released, in: source, new: new)
    if new.count > 1 {
      report(
        .warning, code: "history.several-new-versions",
        "\(new.map(\.name).quotedList) are new since \(baseline.title); users only get stores of the last one",
        "make one version of them, unless testers already have stores of the others", about: source.path)
    }
    checkCurrent(source, released, new)
    review(source, released)
  }

  /// Reports the released versions that the model does not have.
  private mutating func checkVersions(
    of released: ReleasedModel, in source: ModelSource, new: [ModelSource.Version]
  ) {
    for version in released.versions {
      guard !source.versions.contains(where: { $0.model.isSameVersion(as: version.model) }) else { continue }
      if let present = source.versions.first(where: { $0.name == version.name }) {
        reportChanged(
          version, of: released, present, in: source, isCurrent: version.name == released.currentVersionName, new)
      } else if !isThere(version, in: source) {
        reportMissing(version, of: released, source)
      }
    }
  }

  /// True if a version's file exists, but was not read: because of mistakes, or because a sparse checkout leaves it out.
  private func isThere(_ version: ReleasedModel.Version, in source: ModelSource) -> Bool {
    let path = "\(source.path)/\(version.name).xcdatamodel"
    return FileManager.default.fileExists(atPath: io.url(path).path)
      || source.diagnostics.contains { $0.location?.file?.hasPrefix("\(path)/") == true }
  }

  private mutating func reportChanged(
    _ version: ReleasedModel.Version, of released: ReleasedModel, _ present: ModelSource.Version,
    in source: ModelSource, isCurrent: Bool, _ new: [ModelSource.Version]
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
    if isCurrent, new.isEmpty {
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
  private mutating func checkCurrent(
    _ source: ModelSource, _ released: ReleasedModel, _ new: [ModelSource.Version]
  ) {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) else { return }
    let file = "\(source.path.withoutTrailingSlashes)/.xccurrentversion"
    if let last = new.last, !new.contains(where: { $0.name == current.name }) {
      report(
        .warning, code: "history.not-current",
        "version \(last.name.quotedName) is new, but \(current.name.quotedName) is the current one",
        "choose \(last.name.quotedName) in Xcode's file inspector, or name it in '\(file)', before the release",
        about: file)
    } else if let former = released.currentVersion, !former.model.isSameVersion(as: current.model),
      let place = released.history.firstIndex(where: { $0.model.isSameVersion(as: current.model) }),
      let end = released.history.firstIndex(where: { $0.model.isSameVersion(as: former.model) }), place < end
    {
      report(
        .error, code: "history.older-current-version",
        "the current version is \(current.name.quotedName), but '\(former.release)' has \(former.name.quotedName): its "
          + "stores would be newer than the app",
        "name \(former.name.quotedName) in '\(file)', or add a version with the old contents, a version hash modifier for one of "
          + "its entities, and a migration to it",
        about: file)
    }
  }

  // MARK: Hops

  /// Reviews the migration from the released version to the current one.
  private mutating func review(_ source: ModelSource, _ released: ReleasedModel) {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) ?? source.versions.last,
      let former = released.currentVersion ?? released.versions.last,
      let start = source.versions.first(where: { $0.model.isSameVersion(as: former.model) })
        ?? source.versions.first(where: { $0.name == former.name }),
      !current.model.isSameVersion(as: start.model)
    else { return }
    // A new version follows the released ones, and a renamed one keeps its place: stores know no names.
    let history = released.history
    func place(_ version: ModelSource.Version) -> Int {
      history.firstIndex { $0.model.isSameVersion(as: version.model) }
        ?? history.firstIndex { $0.name == version.name && version.name != current.name }
        ?? (version.name == current.name ? .max : history.count)
    }
    let versions = source.versions.enumerated().sorted { one, other in
      (place(one.element), one.offset) < (place(other.element), other.offset)
    }.map(\.element)
    // Most other releases are older, and lead to this one. Those of other branches may not.
    let end = versions.firstIndex { $0.name == start.name } ?? 0
    let starts = versions.enumerated().filter { place, version in
      version.name != start.name && version.name != current.name
        && released.versions.contains {
          $0.model.isSameVersion(as: version.model)
            && (place > end || $0.isOnOtherBranch && !released.namesInBaseline.contains(version.name))
        }
    }.map(\.element)
    var reviews: [HopReview] = []
    for start in [start] + starts {
      for review in HopReview.all(
        from: start, to: current, among: versions, of: source.path, mappings, code: io.code)
      where !reviews.contains(where: { $0.title == review.title }) {
        reviews.append(review)
      }
    }
    hops += reviews
    reportUntested(reviews, source)
    for review in reviews {
      // Two migrations that are not possible may have the same obstacle.
      let new = review.findings.filter { finding in !findings.contains { $0.diagnostic == finding } }
      findings += new.map { (source.path(of: review.destination), $0) }
    }
    guard reviews.allSatisfy(\.isInferred), let first = reviews.first else { return }
    reportDirect(from: first.source, to: current, among: versions, source)
  }

  /// Reports results that stores of older versions get only version by version, or only without the versions in between.
  private mutating func reportDirect(
    from former: ModelSource.Version, to current: ModelSource.Version, among versions: [ModelSource.Version],
    _ source: ModelSource
  ) {
    guard
      let models = try? HopReview.manager(versions, of: source.path, mappings, io.code)
        .inferredVersions(upTo: current.model),
      let place = models.lastIndex(where: { $0.isSameVersion(as: former.model) })
    else { return }
    for consequence in DirectMigrations(models, since: place).consequences {
      let names = consequence.versions
      let versions = names.prefix(3).quotedList + (names.count > 3 ? " and \(names.count - 3) other versions" : "")
      report(
        .warning, code: "history.direct-migration",
        consequence.isFailure
          ? "an app that does not migrate version by version cannot migrate stores of \(versions) to '\(current.name)': "
            + "\(consequence.words)"
          : "stores of \(versions) get another result if the app does not migrate version by version, but jumps to "
            + "'\(current.name)': \(consequence.words)",
        "if the app uses Heavylift, or stages of Core Data, accept this finding; if not, give what was renamed the renaming ID "
          + "that it had first, or write a mapping model from \(names[0].quotedName) to '\(current.name)'",
        about: source.path(of: current), at: current.model.markup.location)
    }
  }

  /// Reports migrations that no test of the project names, if others are tested.
  private mutating func reportUntested(_ reviews: [HopReview], _ source: ModelSource) {
    let hops = reviews.filter { !$0.mappings.isEmpty && !$0.isStage }
    guard !hops.isEmpty else { return }
    let others = zip(source.versions, source.versions.dropFirst()).contains { old, new in
      tests.test(from: old.name, to: new.name)
    }
    for hop in hops where others && !tests.test(from: hop.source.name, to: hop.destination.name) {
      report(
        .warning, code: "history.untested-hop",
        "no test mentions the migration \(hop.title), although others are tested",
        "write one, or let 'heavylift generate-tests' write it", about: source.path(of: hop.destination))
    }
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellQuoted: String {
    isEmpty || contains(/[^A-Za-z0-9_\/.,:+=@-]/) ? "'\(replacing("'", with: "'\\''"))'" : self
  }
}
