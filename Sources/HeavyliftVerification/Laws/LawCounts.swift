import HeavyliftModel

/// Checks that every object of the old store is accounted for, and that the report's counts are correct.
struct LawCounts {
  private(set) var mistakes: [String] = []

  init(_ migration: TestedMigration) {
    for hop in migration.hops { check(hop) }
    // A handler may insert or delete objects before the first hop starts.
    if migration.hops.first?.handlers.contains(.willMigrate) != true {
      compare(migration.report.sourceObjects, Self.counts(migration.sourceGraph), "the old store")
    }
    compare(migration.report.objects, Self.counts(migration.graph), "the new store")
  }

  private mutating func check(_ hop: TestedHop) {
    for entity in hop.verification?.conservation ?? [] {
      let known = entity.migrated + entity.filtered + entity.removed
      if entity.objects != known + entity.unmentioned {
        mistakes.append(
          "of \(entity.objects.counted(as: "object")) of \(entity.entityName.quotedName), \(known) are accounted for")
      }
      if entity.unmentioned > 0 {
        mistakes.append(
          "\(entity.unmentioned.counted(as: "object")) of entity \(entity.entityName.quotedName) would be lost: no entity "
            + "mapping mentions the entity; if its objects are to be deleted, write "
            + "<entity-mapping source=\"\(entity.entityName)\" type=\"remove\"/>")
      }
    }
    for (told, verified) in zip(hop.report.mappings, hop.verification?.mappings ?? [])
    where verified.isDeclarative && told.declared != verified.objects {
      mistakes.append(
        "entity mapping \(told.name.quotedName) created \(told.declared.counted(as: "object")) from "
          + "the \(verified.objects) that it takes")
    }
  }

  private static func counts(_ graph: ObjectGraph) -> [String: Int] {
    Dictionary(grouping: graph.objects, by: \.entityName).mapValues(\.count)
  }

  private mutating func compare(_ told: [String: Int], _ counted: [String: Int], _ store: String) {
    for name in Set(told.keys).union(counted.keys).sorted() where told[name, default: 0] != counted[name, default: 0] {
      mistakes.append(
        "\(store) holds \(counted[name, default: 0].counted(as: "object")) of entity \(name.quotedName), but the "
          + "report says \(told[name, default: 0].grouped)")
    }
  }
}
