import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The effect of a migration from one version to a newer one, and its mistakes.
struct HopReview {
  let source: ModelSource.Version
  let destination: ModelSource.Version
  /// The mapping, with all defaults filled in; several if they run as passes; empty if there is none.
  private(set) var mappings: [CompleteMappingModel] = []
  var title: String { "'\(source.name)' → '\(destination.name)'" }
  /// The origin of the hop, in words.
  private(set) var reason = "not possible yet"
  /// True if a stage carries out the hop.
  private(set) var isStage = false
  private(set) var isInferred = false
  /// The mistakes of a hop without a mapping file.
  private(set) var findings: [Diagnostic] = []

  /// Returns the hops from one version to another.
  ///
  /// - Parameters:
  ///   - versions: The versions, oldest first.
  ///   - path: The path of the model.
  static func all(
    from source: ModelSource.Version, to destination: ModelSource.Version, among versions: [ModelSource.Version],
    of path: String, _ mappings: [MappingSource], code: MigrationCode
  ) -> [HopReview] {
    do {
      let manager = try manager(versions, of: path, mappings, code)
      return try manager.hops(from: source.model, to: destination.model).map { hop in
        HopReview(
          hop, versions.first { $0.name == hop.sourceModel.name } ?? source,
          versions.first { $0.name == hop.destinationModel.name } ?? destination)
      }
    } catch {
      return [HopReview(source, destination, failed: error, versions)]
    }
  }

  /// The migrations of a project, and those that can be inferred.
  static func manager(
    _ versions: [ModelSource.Version], of path: String, _ mappings: [MappingSource], _ code: MigrationCode
  ) throws -> IncrementalMigrationManager {
    let models = versions.map(\.model)
    let candidates = mappings.map { $0.candidate(named: $0.path) }
    let stages = code.stages(forModelsAt: [path], versions: models)
    return IncrementalMigrationManager(
      inferring: models, MappingSearch(candidates, in: "the project"),
      stages.isEmpty ? nil : try StagedMigrationManager(stages, versions: models), code)
  }

  private init(_ hop: MigrationHop, _ source: ModelSource.Version, _ destination: ModelSource.Version) {
    (self.source, self.destination) = (source, destination)
    (mappings, reason, isStage) = (hop.completedMappings, hop.reason, hop.stage != nil)
    isInferred = hop.origin == .inferred
    guard isInferred else { return }
    let questions = mappings.flatMap(\.renamingQuestions)
    let others = mappings.flatMap { $0.check() }.filter {
      $0.severity != .note && $0.code != "mapping.possible-renaming"
    }
    findings = questions.map(finding)
    findings += others.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.problem = "\(hop.title) is inferred: \(diagnostic.problem)"
      diagnostic.location = diagnostic.location ?? self.fileLocation
      return diagnostic
    }
    // The mapping can be inferred, but stores may have links that it cannot migrate.
    findings += MappingModel.inferring(from: source.model, to: destination.model).refusals.map { refusal in
      var refusal = refusal
      refusal.problem = "\(hop.title) is inferred, and fails for stores with links that do not fit: \(refusal.problem)"
      refusal.location = refusal.location ?? self.fileLocation
      return refusal
    }
    reportLosses(besides: questions)
  }

  private mutating func reportLosses(besides questions: [RenamingQuestion]) {
    let values = mappings.losses.filter { loss in
      !questions.contains { $0.sourceEntity == loss.entity && $0.property.name == loss.property }
    }
    let removed = mappings.flatMap(\.entityMappings).filter { $0.destinationEntityName == nil }
      .compactMap(\.sourceEntityName).filter { source.model.entity(named: $0)?.isAbstract == false }
    let lost: [(things: String, names: [String], places: [DiagnosticLocation])] = [
      ("all objects of", removed.map(\.quotedName), []),
      (
        "the values of", values.map { "\($0.entity).\($0.property ?? "")".quotedName },
        values.compactMap { destination.model.entity(named: $0.entity)?.markup.location }
      ),
    ]
    for (things, names, places) in lost where !names.isEmpty {
      findings.append(
        Diagnostic(
          .warning, code: "history.inferred-loss",
          problem: "\(title) is inferred, and deletes \(things) \(names.prefix(12).joined(separator: ", "))"
            + (names.count > 12 ? " and \(names.count - 12) more" : ""),
          remedy:
            "if they have new names, write the old ones as renaming identifiers; if not, accept this finding, or list "
            + "them in a mapping file ('heavylift infer')",
          location: places.min() ?? fileLocation))
    }
  }

  /// The question whether a property was renamed, at the place of the new one.
  private func finding(_ question: RenamingQuestion) -> Diagnostic {
    let names = question.candidates.map(\.name)
    let isOne = names.count == 1
    return Diagnostic(
      .warning, code: "mapping.possible-renaming",
      problem: "\(title) is inferred: \(question.property.kind) \(question.property.name.quotedName) of entity "
        + "\(question.sourceEntity.quotedName) is gone, and \(names.prefix(3).quotedList) \(isOne ? "is" : "are") new and "
        + "\(isOne ? "has" : "have") no value. Was it renamed?",
      remedy:
        "if it was, write \(question.property.name.quotedName) as the renaming ID of \((names.first ?? "").quotedName) "
        + "in Xcode's inspector; if not, accept this finding, or drop the old property in a mapping file ('heavylift infer' writes one)",
      location: question.candidates.first?.markup.location ?? fileLocation)
  }

  /// The start of the destination's file.
  private var fileLocation: DiagnosticLocation? { destination.model.markup.location }

  /// A migration that is not possible, with the reasons why its steps cannot be inferred.
  private init(
    _ source: ModelSource.Version, _ destination: ModelSource.Version, failed error: any Error,
    _ versions: [ModelSource.Version]
  ) {
    (self.source, self.destination) = (source, destination)
    let report = ErrorReport(error).diagnostics
    guard (error as? MigrationError)?.kind == .noPath else {
      findings = report
      return
    }
    let start = versions.firstIndex { $0.name == source.name } ?? 0
    let end = versions.firstIndex { $0.name == destination.name } ?? versions.count - 1
    for (old, new) in zip(versions[start...], versions[start...].dropFirst()).prefix(max(end - start, 1)) {
      let refusals = MappingModel.inferring(from: old.model, to: new.model).refusals
      findings += refusals.map { refusal in
        var refusal = refusal
        refusal.problem =
          "no mapping leads from '\(old.name)' to '\(new.name)', and none can be inferred: \(refusal.problem)"
        refusal.location = refusal.location ?? new.model.markup.location
        return refusal
      }
    }
    if findings.isEmpty { findings = report }
  }
}
