import HeavyliftModel

extension ModelArchiveReader {
  /// Xcode's name for the fetch request of every fetched property; archives omit the name.
  static let nameOfFetchedPropertyRequest = "fetchedPropertyFetchRequest"

  /// Core Data's default flags for a request, which include sub-entities, property values and pending changes, and
  /// return objects as faults.
  private static let usualFlags: Int64 = 30

  mutating func fetchRequest(
    _ object: ArchivedObject, name: String, of place: String
  ) throws(ArchiveMistake) -> FetchRequestDescription {
    var request = FetchRequestDescription(
      name: name, entityName: try entityName(of: object),
      predicateString: try predicate("NSPredicate", of: object),
      fetchLimit: Int(try number("NSFetchLimit", of: object) ?? 0),
      fetchBatchSize: Int(try number("NSBatchSize", of: object) ?? 0))
    for element in try elements("NSSortDescriptors", of: object) {
      guard let descriptor = element.object, let key = descriptor["NSKey"]?.string else {
        note("sorting", "sorts \(place) by something that is not a key; this sort order is skipped", severity: .warning)
        continue
      }
      request.sortKeys.append(
        FetchRequestDescription.SortKey(keyPath: key, isAscending: flag("NSAscending", of: descriptor)))
    }
    let resultType = try number("NSResultType", of: object) ?? 0
    if let known = FetchRequestDescription.ResultType(rawValue: Int(resultType)) {
      request.resultType = known
    } else {
      note("result-type", "has unknown result type \(resultType) for \(place)", severity: .warning)
    }
    let flags = try number("NSFetchRequestFlags", of: object) ?? Self.usualFlags
    if flags != Self.usualFlags {
      note("fetch-flags", "has flags \(flags) of unknown meaning for \(place)", severity: .warning)
    }
    return request
  }

  private mutating func entityName(of object: ArchivedObject) throws(ArchiveMistake) -> String? {
    if let entity = object["NSEntity"]?.object { return try text("NSEntityName", of: entity) }
    return try text("NSEntityName", of: object)
  }

  /// Returns the predicate of a key as text; nil if there is none.
  mutating func predicate(_ key: String, of object: ArchivedObject) throws(ArchiveMistake) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    return try expressions.predicate(value).description
  }

  mutating func readIndexes(of object: ArchivedObject, into entity: inout EntityDescription) throws(ArchiveMistake) {
    for element in try elements("NSFetchIndexDescriptions", of: object) {
      guard let index = element.object, let name = try text("NSIndexName", of: index) else {
        throw .wrongKind("NSFetchIndexDescriptions", className: object.className, expected: "an array of indexes")
      }
      var elements: [FetchIndexDescription.Element] = []
      for part in try self.elements("NSIndexElements", of: index) {
        guard let part = part.object else {
          throw .wrongKind("NSIndexElements", className: index.className, expected: "an array of elements")
        }
        elements.append(try indexElement(part))
      }
      entity.fetchIndexes.append(
        FetchIndexDescription(
          name: name, elements: elements, partialIndexPredicate: try predicate("NSPartialIndexPredicate", of: index)))
    }
    for element in try elements("NSCompoundIndexes", of: object) {
      let names = (element.elements?.compactMap { $0.string ?? $0.object?["NSPropertyName"]?.string }) ?? []
      try expressions.budget.spend(names.count)
      entity.compoundIndexes.append(names)
    }
    entity.foldGeneratedIndexes()
  }

  private mutating func indexElement(
    _ object: ArchivedObject
  ) throws(ArchiveMistake) -> FetchIndexDescription.Element {
    let type = try number("NSFetchIndexElementType", of: object) ?? 0
    guard let collation = FetchIndexDescription.CollationType(rawValue: Int(type)) else {
      throw .wrongKind("NSFetchIndexElementType", className: object.className, expected: "a known type (\(type))")
    }
    let property = try text("NSPropertyName", of: object)
    var expression: String?
    if property == nil {
      // The key of the expression is unknown, so it is found by its class.
      let value = object.keys.lazy.compactMap { object[$0] }.first { $0.object?.isKind(of: "NSExpression") ?? false }
      guard let value else { throw .missingKey("NSPropertyName", className: object.className) }
      expression = try expressions.expression(value).description
    }
    return FetchIndexDescription.Element(
      propertyName: property, expression: expression, collationType: collation,
      isAscending: object["NSAscending"]?.boolean ?? true)
  }
}
