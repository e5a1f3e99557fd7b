import Heavylift
import HeavyliftModel
import HeavyliftXML

extension HistoryCheck {
  /// Reviews the migration from the released version to the current one.
  ///
  /// - Parameter isOld: True if nothing that it depends on has changed since the baseline.
  mutating func review(_ source: ModelSource, _ released: ReleasedModel, isOld: Bool) {
    guard let current = source.versions.first(where: { $0.name == source.currentVersionName }) ?? source.versions.last,
      let start = start(in: source, released), !current.model.isSameVersion(as: start.model)
    else { return }
    // Most other releases are older, and lead to this one. Those of other branches may not.
    let others = source.versions.filter { version in
      version.name != start.name && version.name != current.name && !released.namesInBaseline.contains(version.name)
        && released.versions.contains {
          ($0.place == .otherBranch || $0.place == .sinceBaseline) && $0.model.isSameVersion(as: version.model)
        }
    }
    var reviews: [HopReview] = []
    for start in [start] + others {
      for review in HopReview.all(
        from: start, to: current, among: ordered(source, released, start, current), of: source.path, mappings,
        code: io.code)
      where !reviews.contains(where: { $0.title == review.title }) {
        reviews.append(review)
      }
    }
    hops += reviews
    reportUntested(reviews, source, isOld: isOld)
    for review in reviews {
      // Two migrations that are not possible may have the same obstacle.
      let new = review.findings.filter { finding in !findings.contains { $0.diagnostic == finding } }
      if isOld {
        oldFindings += new
      } else {
        findings += new.map { (source.path(of: review.destination), $0) }
      }
    }
    guard reviews.allSatisfy(\.isInferred), let first = reviews.first else { return }
    reportDirect(
      from: first.source, to: current, among: ordered(source, released, start, current), source,
      isOld: isOld)
  }

  /// The version that most users have, as far as the project has it.
  private func start(in source: ModelSource, _ released: ReleasedModel) -> ModelSource.Version? {
    let former = released.currentVersions.isEmpty ? released.versions.reversed() : released.currentVersions
    return former.lazy.compactMap { former in
      source.versions.first { $0.model.isSameVersion(as: former.model) }
        ?? source.versions.first { $0.name == former.name }
    }.first
  }

  /// The versions in the order of their migrations.
  private func ordered(
    _ source: ModelSource, _ released: ReleasedModel, _ start: ModelSource.Version, _ current: ModelSource.Version
  ) -> [ModelSource.Version] {
    // At run time, the names decide.
    if mappings.contains(where: { $0.kind == .mappingFile }) || !io.code.isEmpty { return source.versions }
    // Of other apps, only this is known: the new versions follow the one that users have. Stores know no names.
    let history = released.history
    func place(_ version: ModelSource.Version) -> Int {
      if version.name == start.name { return history.count }
      if version.name == current.name { return history.count + 1 }
      return history.firstIndex { $0.name == version.name && $0.model.isSameVersion(as: version.model) }
        ?? history.firstIndex { $0.model.isSameVersion(as: version.model) }
        ?? history.firstIndex { $0.name == version.name } ?? history.count + 1
    }
    return source.versions.enumerated().sorted { one, other in
      (place(one.element), one.offset) < (place(other.element), other.offset)
    }.map(\.element)
  }

  /// Reports results that stores of older versions get only version by version, or only without the versions in between.
  private mutating func reportDirect(
    from former: ModelSource.Version, to current: ModelSource.Version, among versions: [ModelSource.Version],
    _ source: ModelSource, isOld: Bool
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
        about: source.path(of: current), at: current.model.markup.location, isOld: isOld)
    }
  }

  /// Reports migrations that no test of the project names, if others are tested.
  private mutating func reportUntested(_ reviews: [HopReview], _ source: ModelSource, isOld: Bool) {
    let hops = reviews.filter { !$0.mappings.isEmpty && !$0.isStage }
    guard !hops.isEmpty else { return }
    let others = zip(source.versions, source.versions.dropFirst()).contains { old, new in
      tests.test(from: old.name, to: new.name)
    }
    for hop in hops where others && !tests.test(from: hop.source.name, to: hop.destination.name) {
      report(
        .warning, code: "history.untested-hop",
        "no test mentions the migration \(hop.title), although others are tested",
        "write one, or let 'heavylift generate-tests' write it", about: source.path(of: hop.destination),
        isOld: isOld)
    }
  }
}
