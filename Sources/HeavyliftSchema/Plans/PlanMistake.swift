import Heavylift

/// A mistake in a plan: found in `PlanCheck` and `PlanChanges`, worded here in the names of the plan's classes.
enum PlanMistake {
  case noVersions(plan: String)
  case listedTwice(String, plan: String)
  case sameIdentifier(String, [String])
  case versionOrder([String], plan: String)
  case migrationOrder([String])
  case interruptedProperties([String], before: String, missing: String, after: String)
  case sameChecksum(String, String, differences: [String])
  case unlistedVersion(String, stage: String, plan: String, known: [String])
  case unlistedContainer(String, plan: String, known: [String])
  case sameEnds(String, stage: String)
  case backward(String, String, stage: String)
  case skippedVersions([String], stage: String)
  case overlap(String, String, source: String, destination: String)
  case stageOrder([String], plan: String)
  case missingStage(String, String, plan: String)
  case foreignClass(String, stage: String, version: String, known: [String])
  case newClass(String, stage: String, version: String)
  case unrelatedClasses(String, String, stage: String, counterpart: String)
  case renamed(Diagnostic, removed: String, stage: String)
  case unknownRemoval(String, stage: String, known: [String])
  case requiredAddition(String, className: String, type: String, hasInitialValue: Bool, stage: String, code: String)
  case unreadableValues(SchemaDifference.TypeChange, stage: String, code: String)

  var diagnostic: Diagnostic {
    let (problem, remedy) = words
    return Diagnostic(.error, code: code, problem: problem, remedy: remedy)
  }

  private var code: String {
    switch self {
    case .noVersions: "plan.no-versions"
    case .listedTwice: "plan.listed-twice"
    case .sameIdentifier: "plan.same-identifier"
    case .versionOrder: "plan.version-order"
    case .migrationOrder, .interruptedProperties: "plan.migration-order"
    case .sameChecksum: "plan.same-version"
    case .unlistedVersion, .unlistedContainer: "plan.missing-version"
    case .sameEnds: "plan.same-ends"
    case .backward: "plan.backward"
    case .skippedVersions: "plan.skipped-version"
    case .overlap: "plan.overlap"
    case .stageOrder: "plan.stage-order"
    case .missingStage: "plan.missing-stage"
    case .foreignClass: "plan.foreign-class"
    case .newClass: "plan.new-class"
    case .unrelatedClasses: "plan.unrelated-classes"
    case .renamed: "plan.renamed"
    case .unknownRemoval: "plan.unknown-removal"
    case .requiredAddition: "plan.required-addition"
    case .unreadableValues: "plan.unreadable-values"
    }
  }

  private var words: (problem: String, remedy: String) {
    switch self {
    case .noVersions(let plan):
      ("plan '\(plan)' has no versions", "list them in 'schemas', oldest first: [MusicV1.self, MusicV2.self]")
    case .listedTwice(let version, let plan):
      ("version '\(version)' is listed twice in '\(plan).schemas'", "list each version once, oldest first")
    case .sameIdentifier(let identifier, let versions):
      (
        "versions \(versions.quotedList) have the same identifier, \(identifier)",
        "give each version its own 'versionIdentifier'"
      )
    case .versionOrder(let sorted, let plan):
      (
        "the versions in '\(plan).schemas' are not in the order of their identifiers",
        "list them from the oldest to the newest: \(sorted.map { "\($0).self" }.joined(separator: ", "))"
      )
    case .migrationOrder(let sorted):
      (
        "the migrations are not in the order of the versions that they start from",
        "list them from the newest to the oldest: " + sorted.joined(separator: ", ")
      )
    case .interruptedProperties(let names, let before, let missing, let after):
      (
        "\(before.quotedName) and \(after.quotedName) have \(names.quotedList), but \(missing.quotedName) between them does "
          + "not: the migrations are probably not in order",
        "list them from the newest to the oldest; if the values are to be deleted, name them in the first migration: "
          + "'removing: [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]'"
      )
    case .sameChecksum(let old, let new, let differences):
      (
        "versions '\(old)' and '\(new)' have the same checksum, so that a store does not show which of them it has; "
          + (differences.isEmpty
            ? "there is no difference between them"
            : "these differences do not change it:" + differences.map { "\n  - \($0)" }.joined()),
        "declare a property of '\(new)' with a 'hashModifier', override 'hashModifier' in one of its classes, give "
          + "'\(new)' a 'versionID', or remove one of the versions"
      )
    case .unlistedVersion(let version, let stage, let plan, let known):
      (
        "\(stage) refers to version '\(version)', which is not in '\(plan).schemas'",
        "add '\(version).self' to 'schemas', or correct the stage; \(known.suggestion(forVersion: version))"
      )
    case .unlistedContainer(let version, let plan, let known):
      (
        "version '\(version)' is not in '\(plan).schemas'",
        "add '\(version).self' to 'schemas', or open another version; "
          + known.suggestion(forVersion: version)
      )
    case .sameEnds(let version, let stage):
      ("\(stage) leads from '\(version)' to itself", "set 'toVersion' to the version after it")
    case .backward(let source, let destination, let stage):
      (
        "\(stage) leads backward, from '\(source)' to '\(destination)'",
        "exchange 'fromVersion' and 'toVersion'"
      )
    case .skippedVersions(let span, let stage):
      (
        "\(stage) leads from '\(span[0])' to '\(span[span.count - 1])', but \(span[1..<(span.count - 1)].quotedList) "
          + "\(span.count == 3 ? "is" : "are") in between: everything that \(span.count == 3 ? "it adds" : "they add"), "
          + "such as initial values, would be skipped",
        "write a stage for each step: "
          + zip(span, span.dropFirst()).map { "\($0) → \($1)" }.joined(separator: ", ")
      )
    case .overlap(let one, let other, let source, let destination):
      ("\(one) and \(other) both lead from '\(source)' to '\(destination)'", "keep one of them")
    case .stageOrder(let sorted, let plan):
      (
        "the stages in '\(plan).stages' are not in the order of their versions",
        "write them in this order:" + sorted.map { "\n  - \($0)" }.joined()
      )
    case .missingStage(let source, let destination, let plan):
      (
        "no stage in '\(plan).stages' leads from '\(source)' to '\(destination)'",
        "add '.lightweight(fromVersion: \(source).self, toVersion: \(destination).self)', or '.custom' if objects need "
          + "code"
      )
    case .foreignClass(let name, let stage, let version, let known):
      (
        "\(stage) has code for objects of class '\(name)', which version '\(version)' does not have",
        known.suggestion(for: name, kind: "class")
      )
    case .newClass(let name, let stage, let version):
      (
        "\(stage) has code for objects of class '\(name)', which come from no object of version '\(version)'",
        "insert its objects in 'didMigrate', or override 'originalName' if it was renamed"
      )
    case .unrelatedClasses(let old, let new, let stage, let counterpart):
      (
        "\(stage) has code that takes a '\(old)' and a '\(new)', but the objects of '\(new)' come from '\(counterpart)'",
        "take a '\(counterpart)', or override 'originalName' if the class was renamed"
      )
    case .renamed(let question, let removed, let stage):
      (
        question.problem,
        (question.remedy ?? "") + ", which \(stage) has to state: 'removing: [\"\(removed)\"]'"
      )
    case .unknownRemoval(let name, let stage, let known):
      (
        "\(stage) removes '\(name)', which its older version does not have or its newer version still has",
        known.suggestion(for: name, kind: "property or entity")
      )
    case .requiredAddition(let name, let className, let type, let hasInitialValue, let stage, let code):
      (
        "attribute '\(name)' of class '\(className)' is new and required, but "
          + (hasInitialValue
            ? "a model cannot hold an initial value of its type" : "it has no initial value")
          + ", and \(stage) has no code that sets it for old objects",
        (hasInitialValue ? "declare" : "give it an initial value, declare")
          + " it as '\(type)?', or set it in code: \(code)"
      )
    case .unreadableValues(let change, let stage, let code):
      (
        "\(change), and both are stored in the same form: \(stage) keeps the old values, which the new type cannot be "
          + "decoded from",
        "convert them: \(code)"
      )
    }
  }
}
