import Heavylift

extension MigrationReport.Rows {
  /// A line about the entity, if some of its objects were not migrated.
  var line: String? {
    guard migrated < count else { return nil }
    let parts = [
      ("filtered", filtered), ("removed", removed), ("unused by a policy", unused),
      ("not mentioned by the mapping", unmentioned),
    ].filter { $0.1 > 0 }.map { "\($0.1.grouped) \($0.0)" }
    return "  \(entityName.shown): \(migrated.grouped) of \(count.grouped) migrated, \(parts.joined(separator: ", "))"
  }

  var json: JSONValue {
    .object([
      ("entity", .string(entityName)), ("objects", .count(count)), ("migrated", .count(migrated)),
      ("filtered", .count(filtered)), ("removed", .count(removed)), ("unused", .count(unused)),
      ("unmentioned", .count(unmentioned)),
    ])
  }
}

extension MigrationReport.Links {
  /// A line about the relationship, if some of its links were not carried over.
  var line: String? {
    guard carried < count else { return nil }
    let parts = [
      ("replaced", replaced), ("dropped", dropped), ("dangling", dangling), ("left to policies", leftToPolicy),
    ].filter { $0.1 > 0 }.map { "\($0.1.grouped) \($0.0)" }
    return "  \(entityName.shown).\(relationshipName.shown): \(carried.grouped) of \(count.grouped) links carried "
      + "over, " + parts.joined(separator: ", ")
  }

  var json: JSONValue {
    .object([
      ("entity", .string(entityName)), ("relationship", .string(relationshipName)), ("links", .count(count)),
      ("carried", .count(carried)), ("replaced", .count(replaced)), ("dropped", .count(dropped)),
      ("dangling", .count(dangling)), ("leftToPolicy", .count(leftToPolicy)),
    ])
  }
}

extension MigrationLoss {
  var json: JSONValue {
    .object([
      ("entity", .string(entity)), ("property", .optional(property)), ("mappings", .strings(entityMappings)),
      ("reason", .string(reason.rawValue)), ("unit", .string(unit.rawValue)), ("count", .optional(count)),
      ("estimate", .optional(estimate?.rawValue)),
    ])
  }
}
