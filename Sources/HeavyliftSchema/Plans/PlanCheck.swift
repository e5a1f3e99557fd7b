import Heavylift

/// Checks a plan, and turns its stages into those of the engine.
struct PlanCheck {
  /// The name of the plan in messages.
  let plan: String
  let versions: [PlannedVersion]
  let stages: [MigrationStage]
  private(set) var mistakes: [PlanMistake] = []
  private(set) var warnings: [Diagnostic] = []
  /// The engine's stages; incomplete if there are mistakes.
  private(set) var lowered: [MigrationStage] = []

  /// The steps of each stage as indexes of versions; empty if it has a mistake.
  private var spans: [[Int]] = []

  init(plan: String, versions: [PlannedVersion], stages: [MigrationStage]) {
    (self.plan, self.versions, self.stages) = (plan, versions, stages)
  }

  mutating func run() {
    guard !versions.isEmpty else { return mistakes.append(.noVersions(plan: plan)) }
    checkVersions()
    for index in stages.indices { addSpan(of: index) }
    checkOrder()
    for index in stages.indices where spans[index].count > 1 { checkChanges(of: index) }
  }

  private func name(_ version: Int) -> String { versions[version].name }

  // MARK: Versions

  private mutating func checkVersions() {
    let identifiers = versions.compactMap { version in version.schema.version.map { ($0, version.name) } }
    for (identifier, group) in Dictionary(grouping: identifiers, by: \.0).sorted(by: { $0.key < $1.key })
    where group.count > 1 {
      mistakes.append(.sameIdentifier(identifier.description, group.map(\.1)))
    }
    let sorted = identifiers.sorted { $0.0 < $1.0 }.map(\.1)
    if sorted != identifiers.map(\.1), Set(identifiers.map(\.0)).count == identifiers.count {
      mistakes.append(.versionOrder(sorted, plan: plan))
    }
    for (index, version) in versions.enumerated() {
      for (other, earlier) in versions[..<index].enumerated()
      where earlier.schema.model.isSameVersion(as: version.schema.model) {
        mistakes.append(
          .sameChecksum(name(other), name(index), differences: differences(from: earlier.schema, to: version.schema)))
      }
    }
  }

  /// Returns one line for each difference, except for the identifiers, which always differ.
  private func differences(from old: Schema, to new: Schema) -> [String] {
    var model = old.model
    model.versionIdentifiers = new.model.versionIdentifiers
    return ModelDifference(from: model, to: new.model).lines + new.difference(from: old).typeChanges.map(\.description)
  }

  // MARK: Stages

  private mutating func addSpan(of index: Int) {
    spans.append([])
    guard let stage = stages[index] as? DeclaredMigrationStage<SchemaStage> else {
      // The engine reports versions that it does not find.
      spans[index] = stages[index].versionIdentities.compactMap { identity in
        versions.firstIndex { $0.schema.model.stageIdentity == identity }
      }
      return lowered.append(stages[index])
    }
    let ends = [stage.declaration.source, stage.declaration.destination]
    let places = ends.map { end in versions.firstIndex { $0.reference.key == end.key } }
    for (end, place) in zip(ends, places) where place == nil {
      mistakes.append(
        .unlistedVersion(end.name, stage: title(index), plan: plan, known: versions.map(\.name)))
    }
    guard let source = places[0], let destination = places[1] else { return }
    switch destination - source {
    case 1:
      spans[index] = [source, destination]
      lowered.append(lower(stage, index, source, destination))
    case 0: mistakes.append(.sameEnds(name(source), stage: title(index)))
    case ..<0: mistakes.append(.backward(name(source), name(destination), stage: title(index)))
    default:
      mistakes.append(.skippedVersions(versions[source...destination].map(\.name), stage: title(index)))
    }
  }

  private func lower(
    _ stage: DeclaredMigrationStage<SchemaStage>, _ index: Int, _ source: Int, _ destination: Int
  ) -> MigrationStage {
    let (old, new) = (versions[source].schema, versions[destination].schema)
    if let handlers = stage.declaration.handlers {
      return handlers.stage(from: old, to: new, label: label(index))
    }
    return LightweightMigrationStage(versions: [old.reference, new.reference], label: label(index))
  }

  private func label(_ index: Int) -> String {
    if let label = stages[index].label { return label }
    guard let stage = stages[index] as? DeclaredMigrationStage<SchemaStage> else { return "\(index + 1)" }
    return "\(stage.declaration.source.name) → \(stage.declaration.destination.name)"
  }

  private func title(_ index: Int) -> String {
    let declared = stages[index] as? DeclaredMigrationStage<SchemaStage>
    let isLightweight =
      stages[index] is LightweightMigrationStage || declared.map { $0.declaration.handlers == nil } == true
    return "\(isLightweight ? "lightweight" : "custom") stage '\(label(index))'"
  }

  private mutating func checkOrder() {
    var owners: [Int: Int] = [:]
    for (index, span) in spans.enumerated() {
      for source in span.dropLast() {
        guard let owner = owners[source] else {
          owners[source] = index
          continue
        }
        mistakes.append(.overlap(title(owner), title(index), source: name(source), destination: name(source + 1)))
      }
    }
    let known = spans.indices.filter { !spans[$0].isEmpty }
    let sorted = known.sorted { (spans[$0][0], $0) < (spans[$1][0], $1) }
    if sorted != known { mistakes.append(.stageOrder(sorted.map(title), plan: plan)) }
    // A stage that has a mistake may be the missing one.
    guard known.count == stages.count else { return }
    for source in versions.indices.dropLast() where owners[source] == nil {
      mistakes.append(.missingStage(name(source), name(source + 1), plan: plan))
    }
  }

  // MARK: Changes

  private mutating func checkChanges(of index: Int) {
    guard let stage = (stages[index] as? DeclaredMigrationStage<SchemaStage>)?.declaration else { return }
    let (old, new) = (versions[spans[index][0]], versions[spans[index][1]])
    let changes = PlanChanges(old: old, new: new, stage: stage, title: title(index))
    mistakes += changes.mistakes
    warnings += changes.warnings
  }
}
