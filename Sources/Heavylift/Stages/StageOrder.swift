import HeavyliftMapping
import HeavyliftModel

/// The versions that a list of stages leads through, and the mistakes in the list.
///
/// The versions are in the order in which they were released. Each stage must lead from one version to the next, and
/// the stages must follow the versions: nothing depends on how the lists happen to fit together.
struct StageOrder {
  /// A step that a stage defines, between versions with these indexes.
  struct Step: Hashable {
    var source: Int
    var destination: Int
    /// The index of the stage.
    var stage: Int
  }

  private(set) var versions: [ManagedObjectModel]
  private(set) var steps: [Step] = []
  private(set) var mistakes: [StageMistake] = []

  private let stages: [MigrationStage]
  /// The index of the first version with each identity.
  private var places: [String: Int] = [:]
  /// The models of custom stages, by the stage's index; `nil` if they could not be found.
  private var ends: [Int: (source: ManagedObjectModel, destination: ManagedObjectModel)] = [:]
  /// The indexes of the versions that each correct stage lists.
  private var spans: [Int: [Int]] = [:]

  /// Checks a list of stages.
  ///
  /// - Parameters:
  ///   - stages: The stages.
  ///   - versions: The versions, oldest first. If empty, the stages' own models, in the order of the stages.
  init(_ stages: [MigrationStage], versions: [ManagedObjectModel]) {
    self.stages = stages
    self.versions = versions
    resolveEnds()
    if versions.isEmpty { collectVersions() }
    identifyVersions()
    findPlaces()
    for index in stages.indices { checkAlone(index) }
    checkTogether()
    for index in stages.indices { checkHandlers(index) }
  }

  private func title(_ stage: Int) -> String { stages[stage].summary(number: stage + 1).title }

  private func name(_ version: Int) -> String {
    versions[version].statedTitle?.quotedName ?? versions[version].stageIdentity.quotedName
  }

  // MARK: Versions

  private mutating func resolveEnds() {
    for (index, stage) in stages.enumerated() {
      guard let stage = stage as? CustomMigrationStage else { continue }
      let models = [stage.currentModel, stage.nextModel].map { reference -> ManagedObjectModel? in
        do {
          return try reference.resolve(among: versions)
        } catch {
          let mistake =
            error as? StageMistake ?? .missingModel("\(error)", remedy: "make sure that the model's file is readable")
          mistakes.append(.reference(mistake, stage: title(index)))
          return nil
        }
      }
      if let source = models[0], let destination = models[1] { ends[index] = (source, destination) }
    }
  }

  /// Lists the models of the stages so that each stage leads forward, if there is such an order.
  private mutating func collectVersions() {
    var seen: Set<String> = []
    let steps = stages.indices.compactMap { ends[$0] }
    var rest = steps.flatMap { [$0.source, $0.destination] }.filter { seen.insert($0.stageIdentity).inserted }
    while !rest.isEmpty {
      let waiting = Set(rest.map(\.stageIdentity))
      let next = rest.firstIndex { model in
        !steps.contains {
          $0.destination.stageIdentity == model.stageIdentity && $0.source.stageIdentity != model.stageIdentity
            && waiting.contains($0.source.stageIdentity)
        }
      }
      versions.append(rest.remove(at: next ?? 0))
    }
  }

  private mutating func findPlaces() {
    for (index, model) in versions.enumerated() where places[model.stageIdentity] == nil {
      places[model.stageIdentity] = index
    }
    for (index, model) in versions.enumerated().dropFirst() {
      let earlier = versions[index - 1]
      guard earlier.versionChecksum == model.versionChecksum, earlier != model,
        // A store without an ID has the older version, so the newer one needs one.
        model.versionID == nil || model.versionID == earlier.versionID
      else { continue }
      mistakes.append(
        .twins(name(index - 1), name(index), differences: ModelDifference(from: earlier, to: model).lines))
    }
    // A checksum alone stands for the oldest version that has it.
    for (index, model) in versions.enumerated() where places[model.versionChecksum] == nil {
      places[model.versionChecksum] = index
    }
  }

  /// Gives the versions the IDs that stages refer to them with.
  private mutating func identifyVersions() {
    for model in ends.sorted(by: { $0.key < $1.key }).flatMap({ [$0.value.source, $0.value.destination] }) {
      guard let id = model.versionID else { continue }
      for index in versions.indices
      where versions[index].versionID == nil && versions[index].name == model.name
        && versions[index].versionChecksum == model.versionChecksum
      {
        versions[index].versionID = id
      }
    }
  }

  /// The index of the next version with another identity; `nil` after the last one.
  private func next(_ version: Int) -> Int? {
    versions.indices.first { $0 > version && versions[$0].stageIdentity != versions[version].stageIdentity }
  }

  // MARK: Checks

  private mutating func checkAlone(_ index: Int) {
    guard stages[index] is LightweightMigrationStage || stages[index] is CustomMigrationStage else {
      return mistakes.append(.unloweredStage(number: index + 1))
    }
    guard let identities = identities(of: index) else { return }
    guard !identities.isEmpty else { return mistakes.append(.noVersions(stage: title(index))) }
    var found: [Int] = []
    var isKnown = true
    for (position, identity) in identities.enumerated() {
      guard let place = places[identity] else {
        isKnown = false
        mistakes.append(unknown(identity, index, position))
        continue
      }
      if found.contains(place) {
        isKnown = false
        mistakes.append(repetition(of: place, index))
        continue
      }
      found.append(place)
    }
    guard isKnown else { return }
    var isRight = true
    for (source, destination) in zip(found, found.dropFirst()) {
      if destination < source {
        isRight = false
        mistakes.append(
          .backward(name(source), name(destination), stage: title(index), order: found.sorted().map(name)))
        break
      }
      guard next(source) != destination else { continue }
      isRight = false
      // A version that is listed again later is in between as well.
      let skipped = (source + 1..<destination).filter {
        let identity = versions[$0].stageIdentity
        return identity != versions[source].stageIdentity && identity != versions[destination].stageIdentity
      }
      mistakes.append(
        .skippedVersions(
          skipped.map(name), stage: title(index), kind: stages[index].kind, source: name(source),
          destination: name(destination)))
    }
    if isRight { spans[index] = found }
  }

  private func identities(of index: Int) -> [String]? {
    if let stage = stages[index] as? LightweightMigrationStage { return stage.identities }
    return ends[index].map { [$0.source.stageIdentity, $0.destination.stageIdentity] }
  }

  private func repetition(of place: Int, _ index: Int) -> StageMistake {
    guard let ends = ends[index] else { return .repeatedVersion(name(place), stage: title(index)) }
    let names = [ends.source, ends.destination].map { $0.statedTitle?.quotedName ?? $0.versionChecksum.quotedName }
    return .sameVersion(names, stage: title(index))
  }

  private func unknown(_ identity: String, _ index: Int, _ position: Int) -> StageMistake {
    let model = ends[index].map { position == 0 ? $0.source : $0.destination }
    return .unknownVersion(
      model?.statedTitle?.quotedName ?? identity.quotedName, stage: title(index), nearest: model.flatMap(nearest),
      known: versions.indices.map { "\(name($0)) (\(versions[$0].stageIdentity))" })
  }

  /// Names the version that is most similar to a model, and the differences.
  private func nearest(to model: ManagedObjectModel) -> String? {
    guard let place = versions.indexOfNearest(to: model) else { return nil }
    let changes = ModelReference(fingerprints: model.fingerprints).changes(in: versions[place])
    let shown = changes.prefix(3).map(\.description).joined(separator: "; ")
    let rest = changes.count > 3 ? "; and \(changes.count - 3) more differences" : ""
    return name(place) + (changes.isEmpty ? "" : ", where \(shown)\(rest)")
  }

  private mutating func checkTogether() {
    let listed = spans.keys.sorted()
    let sorted = listed.sorted {
      (spans[$0]?.first ?? 0, spans[$0]?.last ?? 0, $0) < (spans[$1]?.first ?? 0, spans[$1]?.last ?? 0, $1)
    }
    if listed != sorted {
      mistakes.append(
        .wrongOrder(
          sorted.map { "\(title($0)), from \(name(spans[$0]?.first ?? 0)) to \(name(spans[$0]?.last ?? 0))" }))
    }
    var owners: [Int: Int] = [:]
    for index in sorted {
      let span = spans[index] ?? []
      for (source, destination) in zip(span, span.dropFirst()) { add(source, destination, index, &owners) }
    }
    // Between two stages, the step from the end of one to the start of the other belongs to the lightweight one.
    for (one, other) in zip(sorted, sorted.dropFirst()) {
      guard let end = spans[one]?.last, let start = spans[other]?.first, next(end) == start,
        let owner = [one, other].first(where: { stages[$0] is LightweightMigrationStage })
      else { continue }
      add(end, start, owner, &owners)
    }
    for index in listed where !steps.contains(where: { $0.stage == index }) && spans[index]?.count == 1 {
      mistakes.append(.loneVersion(name(spans[index]?.first ?? 0), stage: title(index)))
    }
    steps.sort { $0.source < $1.source }
  }

  private mutating func add(_ source: Int, _ destination: Int, _ stage: Int, _ owners: inout [Int: Int]) {
    if let owner = owners[source] {
      mistakes.append(
        .overlap(title(owner), title(stage), source: name(source), destination: name(destination)))
      return
    }
    owners[source] = stage
    steps.append(Step(source: source, destination: destination, stage: stage))
  }

  private mutating func checkHandlers(_ index: Int) {
    guard let stage = stages[index] as? CustomMigrationStage, let model = ends[index]?.destination else { return }
    for (name, _) in stage.objectHandlers where model.entity(named: name) == nil {
      mistakes.append(
        .unknownEntity(
          name, stage: title(index), version: model.statedTitle?.quotedName ?? model.versionChecksum.quotedName,
          known: model.entities.map(\.name)))
    }
  }
}

extension MigrationStage {
  var kind: MigrationHistory.Stage.Kind { self is CustomMigrationStage ? .custom : .lightweight }

  /// The checksums of the versions that the stage refers to.
  package var checksums: [String] {
    switch self {
    case let stage as LightweightMigrationStage: stage.versionChecksums
    case let stage as CustomMigrationStage: [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum]
    default: []
    }
  }

  /// The checksums of the versions, with their version IDs.
  package var versionIdentities: [String] {
    switch self {
    case let stage as LightweightMigrationStage: stage.identities
    case let stage as CustomMigrationStage:
      [stage.currentModel, stage.nextModel].map { StageIdentity.text($0.versionChecksum, $0.versionID) }
    default: []
    }
  }

  /// The stage without its code.
  func summary(number: Int) -> MigrationHistory.Stage {
    let custom = self as? CustomMigrationStage
    return MigrationHistory.Stage(
      kind: kind, number: number, label: label, handlers: custom?.handlers ?? [], revision: custom?.revision ?? "")
  }
}

extension ModelDifference {
  /// One line for each change.
  package var lines: [String] {
    changes.map(\.description)
      + entities.flatMap { entity in
        (entity.changes.map(\.description) + entity.properties.map(\.summary)).map {
          "entity \(entity.name.quotedName): \($0)"
        }
      } + parts.map(\.summary)
  }
}
