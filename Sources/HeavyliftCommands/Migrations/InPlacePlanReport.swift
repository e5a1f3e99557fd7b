import Heavylift

/// The plan of a migration in place, as text and JSON.
struct InPlacePlanReport {
  private let input: MigrationInput
  private let plan: IncrementalMigrationPlan
  private let inPlace: InPlacePlan
  private let warnings: [Diagnostic]
  private let obstacles: [MigrationError]
  private let foundModel: String?
  private let dataCheck: DataCheck?

  /// Returns nil if the plan is not for a migration in place, or if there is nothing to do.
  init?(
    input: MigrationInput, plan: IncrementalMigrationPlan, warnings: [Diagnostic],
    obstacles: [MigrationError], foundModel: String?, dataCheck: DataCheck?
  ) {
    guard let inPlace = plan.inPlace else { return nil }
    self.dataCheck = dataCheck
    (self.input, self.plan, self.inPlace) = (input, plan, inPlace)
    (self.warnings, self.obstacles, self.foundModel) = (warnings, obstacles, foundModel)
  }

  func lines(_ style: TextStyle) -> [String] {
    let (store, old) = (input.store.shown, plan.versionTitle.shown)
    var lines = [
      style.bold("\(store) migrates from \(old) to '\((plan.destinationModel.name ?? "unnamed").shown)' in place")
        + "; \(plan.identification)"
    ]
    if let foundModel { lines.append("its model is '\(foundModel.shown)'") }
    for (index, hop) in plan.hops.enumerated() {
      let title = "hop \(index + 1) of \(plan.hops.count): \(hop.title.shown)"
      lines += ["", style.bold(title) + ", \(hop.reason.shown)"]
      guard inPlace.hops.indices.contains(index) else { continue }
      lines += inPlace.hops[index].map { "  \($0.description.shown)" }
    }
    lines += ["", inPlace.refusals.isEmpty ? effort : "it cannot be migrated in place"]
    if !warnings.isEmpty { lines.append("") }
    lines += warnings.map { $0.description.shownLines }
    lines.append("")
    if let dataCheck { lines += [dataCheck.summary(hopCount: plan.hops.count), ""] }
    let exception = inPlace.isOfSchemaAlone ? "" : ", unless a new value breaks a rule of the model"
    let found = (dataCheck?.diagnostics ?? []) + obstacles.map(\.diagnostic)
    guard !found.isEmpty else { return lines + ["nothing would stop the migration\(exception)"] }
    return lines + [style.red("this would stop the migration:")] + found.map { $0.description.shownLines }
  }

  private var effort: String {
    let free = plan.availableBytes.map { "\($0.byteText) free" } ?? "free space is unknown"
    let needed =
      inPlace.isOfSchemaAlone
      ? "no row is read or written" : "at most about \(plan.neededBytes.byteText) is needed for the journal, \(free)"
    return "the store is \(plan.storeBytes.byteText); \(needed)"
  }

  var json: JSONValue {
    .object([
      ("store", .string(input.store)), ("model", .optional(foundModel)), ("from", .optional(plan.version.name)),
      ("sameVersions", .strings(plan.sameVersions.compactMap(\.name))), ("to", .optional(plan.destinationModel.name)),
      ("evidence", .string(plan.evidence.rawValue)), ("configuration", .optional(plan.configuration)),
      ("isCurrent", .bool(false)), ("mode", .string("inPlace")),
      (
        "hops",
        .array(
          plan.hops.enumerated().map { index, hop in
            .object([
              ("title", .string(hop.title)), ("inferred", .bool(hop.origin == .inferred)),
              ("steps", .array(inPlace.hops.indices.contains(index) ? inPlace.hops[index].map(\.json) : [])),
            ])
          })
      ),
      ("refusals", .strings(inPlace.refusals)), ("dataCheck", dataCheck?.json ?? .null),
      ("storeBytes", .integer(plan.storeBytes)),
      ("neededBytes", .integer(plan.neededBytes)), ("availableBytes", .optional(plan.availableBytes)),
      ("warnings", .array(warnings.map(\.json))), ("obstacles", .array(obstacles.map(\.diagnostic.json))),
    ])
  }
}

extension InPlaceStep {
  var json: JSONValue {
    .object([
      ("kind", .string("\(kind)")), ("table", .string(table)), ("part", .optional(part)),
      ("rows", rows.map { .count($0) } ?? .null),
    ])
  }
}
