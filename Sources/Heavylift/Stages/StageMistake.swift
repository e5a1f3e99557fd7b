import HeavyliftModel

/// A mistake in a list of stages.
enum StageMistake: Error {
  /// A model cannot be found.
  case missingModel(String, remedy: String)
  case unreadableModel(Diagnostic)
  /// A reference by checksum alone, to a version that is not listed.
  case unlistedVersion(String, known: [(name: String, checksum: String)])
  case wrongChecksum(String, expected: String, found: [(name: String, checksum: String)])
  /// A mistake in a stage's reference to a version.
  indirect case reference(StageMistake, stage: String)
  case unknownVersion(String, stage: String, nearest: String?, known: [String])
  /// A stage that was not replaced by one that the engine knows.
  case unloweredStage(number: Int)
  case noVersions(stage: String)
  case loneVersion(String, stage: String)
  case repeatedVersion(String, stage: String)
  case sameVersion([String], stage: String)
  case twins(String, String, differences: [String])
  case backward(String, String, stage: String, order: [String])
  case skippedVersions([String], stage: String, kind: MigrationHistory.Stage.Kind, source: String, destination: String)
  case overlap(String, String, source: String, destination: String)
  case wrongOrder([String])
  case unknownEntity(String, stage: String, version: String, known: [String])
}

extension StageMistake {
  /// Core Data's error number.
  var number: Int {
    switch self {
    case .missingModel, .unreadableModel, .unlistedVersion, .wrongChecksum, .reference, .unknownVersion: 134_504
    case .backward, .wrongOrder: 134_506
    default: 134_110
    }
  }

  var diagnostic: Diagnostic {
    if case .reference(let mistake, let stage) = self {
      var diagnostic = mistake.diagnostic
      diagnostic.problem = "\(stage): \(diagnostic.problem)"
      return diagnostic
    }
    let (code, problem, remedy) = words
    return Diagnostic(.error, code: "stage.\(code)", problem: problem, remedy: remedy)
  }

  private var words: (code: String, problem: String, remedy: String) {
    switch self {
    case .missingModel(let problem, let remedy): ("missing-model", problem, remedy)
    case .unreadableModel(let reason): ("missing-model", reason.problem, reason.remedy ?? "check the path")
    case .reference(let mistake, _): mistake.words
    case .unlistedVersion(let checksum, let known):
      (
        "unknown-version", "no version has the checksum \(checksum.quotedName)",
        known.isEmpty
          ? "pass the models of all versions: StagedMigrationManager(stages, versions: models)"
          : "pass the model along with the others, or correct the checksum; the versions are "
            + known.map { "\($0.name.quotedName) (\($0.checksum))" }.joined(separator: ", ")
      )
    case .wrongChecksum(let title, let expected, let found):
      (
        "wrong-checksum",
        "\(title) does not have the checksum \(expected.quotedName)",
        found.count == 1
          ? "its checksum is \(found[0].checksum.quotedName); restore the model as it was released, or correct the "
            + "checksum if no store has been written with the old one"
          : "the checksums are: "
            + found.map { "\($0.checksum.quotedName) (\($0.name.quotedName))" }
            .joined(separator: ", ")
      )
    case .unknownVersion(let version, let stage, let nearest, let known):
      (
        "unknown-version",
        "\(stage) refers to version \(version), which is not among the versions"
          + (nearest.map { "; the most similar one is \($0)" } ?? ""),
        known.isEmpty
          ? "pass the models of all versions: StagedMigrationManager(stages, versions: models)"
          : "pass its model along with the others, or correct the checksum; the versions are \(known.joined(separator: ", "))"
      )
    case .unloweredStage(let number):
      (
        "declared-in-swift",
        "stage \(number) names its versions by their Swift classes, which this manager cannot look up",
        "list the stage in a 'SchemaMigrationPlan', and use 'SchemaHistory(plan).stages', or "
          + "'SchemaHistory(plan).stages.stages' where a list is expected"
      )
    case .noVersions(let stage):
      ("no-versions", "\(stage) has no versions", "list the checksums of neighboring versions, or remove the stage")
    case .loneVersion(let version, let stage):
      (
        "lone-version",
        "\(stage) has only version \(version), and no stage next to it that starts or ends at a neighboring version",
        "add the checksum of the version that it leads to"
      )
    case .repeatedVersion(let version, let stage):
      ("repeated-version", "\(stage) lists version \(version) twice", "list each version once, oldest first")
    case .sameVersion(let versions, let stage):
      (
        "same-version",
        "\(stage) leads from \(versions[0]) to \(versions[1]), which have the same checksum, so that a store does not "
          + "show which of them it has",
        "give an entity of the newer version a 'versionHashModifier', or give the newer version a 'versionID', or remove the "
          + "stage"
      )
    case .twins(let old, let new, let differences):
      (
        "same-version",
        "neighboring versions \(old) and \(new) have the same checksum, so that a store does not show which of them it "
          + "has; these differences do not change it:" + Self.list(differences),
        "give an entity of \(new) a 'versionHashModifier', or give \(new) a 'versionID', or pass only one of the versions"
      )
    case .backward(let source, let destination, let stage, let order):
      (
        "backward", "\(stage) leads backward, from \(source) to \(destination)",
        "list versions from the oldest to the newest: \(order.joined(separator: ", "))"
      )
    case .skippedVersions(let skipped, let stage, let kind, let source, let destination):
      (
        "skipped-version",
        "\(stage) leads from \(source) to \(destination), but \(skipped.joined(separator: ", ")) "
          + "\(skipped.count == 1 ? "is" : "are") in between: everything that \(skipped.count == 1 ? "it adds" : "they add"), "
          + "such as default values, would be skipped",
        kind == .lightweight
          ? "list every version: \(([source] + skipped + [destination]).joined(separator: ", "))"
          : "write a stage for each step: \(Self.steps([source] + skipped + [destination]))"
      )
    case .overlap(let one, let other, let source, let destination):
      (
        "overlap", "\(one) and \(other) both lead from \(source) to \(destination)",
        "keep one of them, or end one where the other starts"
      )
    case .wrongOrder(let order):
      (
        "wrong-order", "the stages are not in the order of their versions",
        "write them in this order:" + Self.list(order)
      )
    case .unknownEntity(let name, let stage, let version, let known):
      (
        "unknown-entity",
        "\(stage) has a handler for objects of entity \(name.quotedName), which version \(version) does not have",
        known.suggestion(for: name, kind: "entity")
      )
    }
  }

  private static func list(_ lines: [String]) -> String { lines.map { "\n  - \($0)" }.joined() }

  private static func steps(_ versions: [String]) -> String {
    zip(versions, versions.dropFirst()).map { "\($0) → \($1)" }.joined(separator: ", ")
  }
}
