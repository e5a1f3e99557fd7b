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
      } else if released.namesInBaseline.isEmpty, let shared = candidates.max(by: { rank($0) < rank($1) }),
        rank(shared) > (0, 1)
      {
        // A release had it elsewhere.
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

  private mutating func reportRemoved(_ removed: RemovedMapping) {
    let (source, destination) = (version(.source, of: removed.mapping), version(.destination, of: removed.mapping))
    guard let source, isReleased(source),
      let model = sources.first(where: { $0.versions.contains { $0.name == source } }),
      destination.map({ name in sources.contains { $0.versions.contains { $0.name == name } } }) ?? true
    else { return }
    // A file that was moved or changed may replace it, or files may lead over other versions.
    let isReplaced = mappings.contains { mapping in
      version(.source, of: mapping) == source
        && baseline.isChanged(CheckedPlaces.absolute(mapping.path, io.directory))
    }
    guard !isReplaced, !isBypassed(from: source, to: destination, in: model) else { return }
    report(
      .error, code: "history.removed-mapping",
      "the mapping '\(removed.mapping.path)' of '\(removed.release)', which leads from '\(source)' to "
        + "\((destination ?? "any version").quotedName), was removed: stores of '\(source)' would be migrated without it",
      "restore it, or accept this if no app has stores of '\(source)'", about: removed.mapping.path)
  }

  /// True if files lead from one version over others to another one, or past it.
  private func isBypassed(from source: String, to destination: String?, in model: ModelSource) -> Bool {
    let names = model.versions.map(\.name)
    guard let start = model.versions.first(where: { $0.name == source }),
      let end = model.versions.first(where: { $0.name == model.currentVersionName }) ?? model.versions.last,
      let manager = try? HopReview.manager(model.versions, of: model.path, mappings, io.code),
      let hops = try? manager.hops(from: start.model, to: end.model), hops.first?.destinationModel.name != destination
    else { return false }
    let place = destination.flatMap(names.firstIndex(of:)) ?? names.firstIndex(of: source).map { $0 + 1 } ?? 0
    let replaced = hops.prefix { hop in hop.sourceModel.name.flatMap(names.firstIndex(of:)).map { $0 < place } ?? false
    }
    return !replaced.isEmpty && replaced.allSatisfy { $0.origin != .inferred }
  }

  private func isReleased(_ version: String) -> Bool {
    let model = sources.lazy.flatMap(\.versions).first { $0.name == version }?.model
    return baseline.models.contains { released in
      released.versions.contains { $0.name == version || model?.isSameVersion(as: $0.model) == true }
    }
  }

  /// The name of the version that a mapping is for. Xcode's file may have an old name for the model that it contains, and the
  /// version may have been renamed since the mapping was removed.
  private func version(_ side: MappingSide, of mapping: MappingSource) -> String? {
    let (model, named) =
      side == .source
      ? (mapping.embeddedModels.source, mapping.mappingModel.source.name)
      : (mapping.embeddedModels.destination, mapping.mappingModel.destination.name)
    let versions = sources.flatMap(\.versions)
    if let model, let version = versions.first(where: { $0.model.isSameVersion(as: model) }) { return version.name }
    guard let named, !versions.contains(where: { $0.name == named }) else { return named }
    let former = baseline.models.lazy.flatMap(\.versions).first { $0.name == named }
    return former.flatMap { former in versions.first { $0.model.isSameVersion(as: former.model) }?.name } ?? named
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
    if checkCurrent(source, released, new) { review(source, released) }
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
        reportChanged(
          version, of: released, present, in: source, isCurrent: released.currentNames.contains(version.name), new)
      } else if !isThere(version, in: source) {
        reportMissing(version, of: released, source)
      }
    }
  }

  /// Reports renaming identifiers that a version has lost, which no hash covers.
  private mutating func checkRenamings(
    _ version: ReleasedModel.Version, of source: ModelSource, _ present: ModelSource.Version
  ) {
    var (lost, location) = ([String](), DiagnosticLocation?.none)
    for old in version.model.entities {
      guard let new = present.model.entity(named: old.name) else { continue }
      var things = [(old.name, old.renamingIdentifier, new.renamingIdentifier, new.markup.location)]
      for attribute in old.attributes {
        guard let same = new.attributes.first(where: { $0.name == attribute.name }) else { continue }
        things.append(
          ("\(old.name).\(attribute.name)", attribute.renamingIdentifier, same.renamingIdentifier, same.markup.location)
        )
      }
      for relationship in old.relationships {
        guard let same = new.relationships.first(where: { $0.name == relationship.name }) else { continue }
        things.append(
          (
            "\(old.name).\(relationship.name)", relationship.renamingIdentifier, same.renamingIdentifier,
            same.markup.location
          ))
      }
      for (name, identifier, other, place) in things {
        guard let identifier, identifier != other else { continue }
        lost.append("'\(identifier)' of '\(name)'")
        location = location ?? place
      }
    }
    guard !lost.isEmpty else { return }
    report(
      .warning, code: "history.lost-renaming",
      "version '\(version.name)' has lost the renaming ID \(lost.prefix(4).joined(separator: ", "))"
        + (lost.count > 4 ? " and \(lost.count - 4) others" : "")
        + ": stores of older versions would lose what was renamed",
      "write it again: no hash covers it", about: source.path(of: present), at: location)
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
  ///
  /// - Returns: False if it is older.
  private mutating func checkCurrent(
    _ source: ModelSource, _ released: ReleasedModel, _ new: [ModelSource.Version]
  ) -> Bool {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) else { return true }
    let file = "\(source.path.withoutTrailingSlashes)/.xccurrentversion"
    if let last = new.last, !new.contains(where: { $0.name == current.name }) {
      report(
        .warning, code: "history.not-current",
        "version \(last.name.quotedName) is new, but \(current.name.quotedName) is the current one",
        "choose \(last.name.quotedName) in Xcode's file inspector, or name it in '\(file)', before the release",
        about: file)
    } else if let former = released.currentVersions.last, former.name != current.name,
      !former.model.isSameVersion(as: current.model),
      let place = released.history.firstIndex(where: {
        $0.name == current.name && $0.model.isSameVersion(as: current.model)
      }),
      let end = released.history.firstIndex(where: { $0.model.isSameVersion(as: former.model) }), place < end
    {
      report(
        .error, code: "history.older-current-version",
        "the current version is \(current.name.quotedName), but '\(former.release)' has \(former.name.quotedName): its "
          + "stores would be newer than the app",
        "name \(former.name.quotedName) in '\(file)', or add a version with the old contents and a migration to it",
        about: file, isOld: released.currentNameInBaseline == current.name && !former.isSinceBaseline)
      return false
    }
    return true
  }

  // MARK: Hops

  /// Reviews the migration from the released version to the current one.
  private mutating func review(_ source: ModelSource, _ released: ReleasedModel) {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) ?? source.versions.last,
      let start = start(in: source, released), !current.model.isSameVersion(as: start.model)
    else { return }
    let versions = ordered(source, released, current)
    // Most other releases are older, and lead to this one. Those of other branches may not.
    let end = versions.firstIndex { $0.name == start.name } ?? 0
    let starts = versions.enumerated().filter { place, version in
      version.name != start.name && version.name != current.name
        && released.versions.contains {
          $0.model.isSameVersion(as: version.model)
            && (place > end
              || ($0.isOnOtherBranch || $0.isSinceBaseline) && !released.namesInBaseline.contains(version.name))
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

  /// The newest version that users have, as far as the project has it.
  private func start(in source: ModelSource, _ released: ReleasedModel) -> ModelSource.Version? {
    let former = released.currentVersions.isEmpty ? released.versions : released.currentVersions
    return former.reversed().lazy.compactMap { former in
      source.versions.first { $0.model.isSameVersion(as: former.model) }
        ?? source.versions.first { $0.name == former.name }
    }.first
  }

  /// The versions in the order of their migrations.
  private func ordered(
    _ source: ModelSource, _ released: ReleasedModel, _ current: ModelSource.Version
  ) -> [ModelSource.Version] {
    // At run time, the names decide.
    if mappings.contains(where: { $0.kind == .mappingFile }) || !io.code.isEmpty { return source.versions }
    // For other apps, a new version follows the released ones, and a renamed one keeps its place: stores know no names.
    let history = released.history
    func place(_ version: ModelSource.Version) -> Int {
      history.firstIndex { $0.name == version.name && $0.model.isSameVersion(as: version.model) }
        ?? (version.name == current.name ? history.count : nil)
        ?? history.firstIndex { $0.model.isSameVersion(as: version.model) }
        ?? history.firstIndex { $0.name == version.name } ?? history.count
    }
    return source.versions.enumerated().sorted { one, other in
      (place(one.element), one.offset) < (place(other.element), other.offset)
    }.map(\.element)
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
