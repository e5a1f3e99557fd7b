import Heavylift

/// A migration plan, as text and JSON.
struct PlanReport {
  let input: MigrationInput
  let plan: IncrementalMigrationPlan
  /// One element for each hop of the plan.
  let hops: [MigrationPlan]
  let warnings: [Diagnostic]
  let obstacles: [MigrationError]
  /// The path of the model, if it was found in a folder.
  let foundModel: String?

  /// The number of objects that each step of each hop is expected to read: counted for the first hop, estimated for the
  /// others.
  private var expected: [[Int?]] {
    // `nil` for objects that only a policy creates: their number cannot be known.
    var counts: [String: Int?] = [:]
    return hops.enumerated().map { index, hop in
      let rows = hop.steps.map { step in
        index == 0 ? step.matchingCount ?? step.sourceCount : step.sourceEntityName.flatMap { counts[$0, default: 0] }
      }
      counts = zip(hop.steps, rows).reduce(into: [:]) { next, pair in
        guard let entity = pair.0.destinationEntityName else { return }
        if let known = next[entity, default: 0], let more = pair.1 {
          next[entity] = known + more
        } else {
          next[entity] = .some(nil)
        }
      }
      return rows
    }
  }

  // MARK: For people

  func lines(_ style: TextStyle) -> [String] {
    let (store, old) = (input.store.shown, plan.versionTitle.shown)
    let model = foundModel.map { "its model is '\($0.shown)'" }
    guard !plan.isCurrent else {
      return ["\(store) already has version \(old), according to its \(plan.evidence.rawValue): nothing to do"]
        + [model].compactMap(\.self) + warnings.map { $0.description.shownLines }
    }
    var lines = [
      style.bold("\(store) migrates from \(old) to '\((plan.destinationModel.name ?? "unnamed").shown)'")
        + "; \(plan.identification)"
    ]
    lines += [model].compactMap(\.self)
    let expected = expected
    for (index, hop) in hops.enumerated() {
      let title = "hop \(index + 1) of \(hops.count): \(plan.hops[index].title.shown)"
      lines += ["", style.bold(title) + ", \(plan.hops[index].reason.shown)"]
      if let reason = plan.reasonsNotComposed.dropFirst(index).first ?? nil {
        lines.append("  not one hop with the next: \(reason.shown)")
      }
      lines += (plan.hops[index].intermediate?.changes ?? []).map { "  \($0.description.shown)" }
      lines += table(hop, expected[index], isFirst: index == 0, style) + reasons(hop)
      if hop.startsFromCopy {
        lines.append("  the new store starts as a copy of the old one, without the tables that change")
      }
      lines += hop.losses.map { "  \($0.description.shown)" }
    }
    lines += FallibleExpressionList(hops).lines
    if let check = hops.first?.dataCheck { lines += ["", check.summary(hopCount: hops.count)] }
    if let checks = hops.first?.checks {
      let list = checks.joined(separator: ", ")
      lines += [
        "",
        HelpText.wrapped(
          "checked after each hop (in advance, with 'migrate --dry-run'): \(list)", width: style.width ?? 80),
      ]
    }
    lines += ["", disk]
    if !warnings.isEmpty { lines.append("") }
    lines += warnings.map { $0.description.shownLines }
    lines.append("")
    let found = (hops.first?.dataCheck?.diagnostics ?? []) + obstacles.map(\.diagnostic)
    guard !found.isEmpty else { return lines + ["nothing else would stop the migration"] }
    return lines + [style.red("this would stop the migration:")] + found.map { $0.description.shownLines }
  }

  private var disk: String {
    let free = plan.availableBytes.map { "\($0.byteText) free" } ?? "free space is unknown"
    return
      "the store is \(plan.storeBytes.byteText); about \(plan.neededBytes.byteText) is needed temporarily, \(free)"
  }

  private func table(_ hop: MigrationPlan, _ rows: [Int?], isFirst: Bool, _ style: TextStyle) -> [String] {
    var table = TextTable([
      ("entity mapping", .left), ("from", .left), ("to", .left), ("rows", .right), ("objects", .left),
      ("relationships", .left), ("keys", .left),
    ])
    for (step, count) in zip(hop.steps, rows) {
      let about = isFirst ? "" : "about "
      let keys =
        switch step.keyOffset {
        case nil: "-"
        case let offset? where isFirst: offset == 0 ? "kept" : "+\(offset)"
        case _?: step.alwaysKeepsKeys ? "kept" : "shifted"
        }
      // A policy can also insert objects without 'super', which get new keys.
      let isByPolicy = step.policyClassName != nil && step.rows == .objects && step.keyOffset != nil
      let all = isFirst && step.matchingCount != nil ? step.sourceCount.map { " of \($0.grouped)" } ?? "" : ""
      table.add([
        step.name.shown, step.sourceEntityName?.shown ?? "-", step.destinationEntityName?.shown ?? "-",
        count.map { about + $0.grouped + all } ?? "-", step.rows.word, step.relationships.word,
        keys + (isByPolicy ? " by 'super'" : ""),
      ])
    }
    return table.lines(style: style)
  }

  private func reasons(_ hop: MigrationPlan) -> [String] {
    var lines: [String] = []
    for step in hop.steps {
      for reason in step.rowReasons { lines.append("  \(step.name.shown), objects: \(reason.description.shown)") }
      for reason in step.relationshipReasons {
        lines.append("  \(step.name.shown), relationships: \(reason.description.shown)")
      }
      if step.intendsLosses {
        lines.append("  \(step.name.shown), losses: intended, so what its policy neither migrates nor reads is dropped")
      }
    }
    return lines
  }

  // MARK: For scripts

  var json: JSONValue {
    let expected = expected
    return .object([
      ("store", .string(input.store)), ("destination", .optional(input.destination)),
      ("model", .optional(foundModel)), ("from", .optional(plan.version.name)),
      ("sameVersions", .strings(plan.sameVersions.compactMap(\.name))),
      ("to", .optional(plan.destinationModel.name)),
      ("evidence", .string(plan.evidence.rawValue)), ("configuration", .optional(plan.configuration)),
      ("isCurrent", .bool(plan.isCurrent)),
      ("hops", .array(hops.indices.map { json(ofHop: $0, expected[$0]) })),
      ("dataCheck", hops.first?.dataCheck?.json ?? .null),
      ("storeBytes", .integer(plan.storeBytes)), ("neededBytes", .integer(plan.neededBytes)),
      ("availableBytes", .optional(plan.availableBytes)), ("warnings", .array(warnings.map(\.json))),
      ("obstacles", .array(obstacles.map(\.diagnostic.json))),
    ])
  }

  private func json(ofHop index: Int, _ expected: [Int?]) -> JSONValue {
    let (hop, report) = (plan.hops[index], hops[index])
    var files: JSONValue = .null
    if case .files(let names) = hop.origin { files = .strings(names) }
    let origin: [(String, JSONValue)] = [
      ("title", .string(hop.title)), ("mappings", files), ("inferred", .bool(hop.origin == .inferred)),
      ("stage", hop.stage?.json ?? .null), ("handlers", .strings(hop.handlers.map(\.title))),
      ("overriddenStage", .optional(hop.overriddenStage?.title)), ("changes", changes(hop)),
      ("jumpsOver", hop.jump.map { .strings($0.skippedVersions) } ?? .null),
      ("versionsBetween", .strings(hop.versionsBetween)),
      ("reasonNotComposed", .optional(plan.reasonsNotComposed.dropFirst(index).first ?? nil)),
    ]
    return .object(
      origin + [
        ("isEstimate", .bool(index > 0)), ("startsFromCopy", .bool(report.startsFromCopy)),
        ("steps", .array(zip(report.steps, expected).map { json($0, $1, isFirst: index == 0) })),
        ("losses", .array(report.losses.map(\.json))),
        ("fallibleExpressions", .array(report.fallibleExpressions.map { .object($0.members) })),
        ("checks", .strings(report.checks)),
      ])
  }

  /// The differences that the hop's intermediate model bridges.
  private func changes(_ hop: MigrationHop) -> JSONValue {
    .array(
      (hop.intermediate?.changes ?? []).map { change in
        .object([
          ("entity", .string(change.entity)), ("property", .optional(change.property)),
          ("change", .string(change.description)), ("needsScript", .bool(change.needsScript)),
        ])
      })
  }

  private func json(_ step: MigrationPlan.Step, _ rows: Int?, isFirst: Bool) -> JSONValue {
    func reasons(_ reasons: [MigrationPlan.Reason]) -> JSONValue {
      .array(reasons.map { .object([("property", .optional($0.property)), ("reason", .string($0.text))]) })
    }
    return .object([
      ("name", .string(step.name)), ("source", .optional(step.sourceEntityName)),
      ("destination", .optional(step.destinationEntityName)), ("policy", .optional(step.policyClassName)),
      ("rows", .optional(rows)), ("sourceObjects", isFirst ? .optional(step.sourceCount) : .null),
      ("objects", .string(step.rows.rawValue)), ("objectReasons", reasons(step.rowReasons)),
      ("relationships", .string(step.relationships.rawValue)),
      ("relationshipReasons", reasons(step.relationshipReasons)), ("intendsLosses", .bool(step.intendsLosses)),
      // For a later hop, the key offset is not known yet, only whether keys are always kept.
      ("keysAreKept", step.keyOffset.map { .bool(isFirst ? $0 == 0 : step.alwaysKeepsKeys) } ?? .null),
      ("keyOffset", isFirst ? .optional(step.keyOffset) : .null),
    ])
  }
}

extension MigrationHistory.Stage {
  /// The stage as a JSON object.
  var json: JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("number", .count(number)), ("label", .optional(label)),
      ("handlers", .strings(handlers.map(\.title))),
    ])
  }
}

extension MigrationPlan.Strategy {
  fileprivate var word: String {
    switch self {
    case .nothing: "-"
    case .sql: "SQL"
    case .sqlWithFunctions: "SQL with functions"
    case .objects: "one by one"
    case .kept: "unchanged"
    }
  }
}

extension IncrementalMigrationPlan {
  /// The store's contents and how its version was found: `the store was identified by its version hashes`.
  var identification: String {
    let contents = configuration.map { "contains configuration '\($0.shown)', and " } ?? ""
    return "the store \(contents)was identified by its \(evidence.rawValue)"
  }
}
