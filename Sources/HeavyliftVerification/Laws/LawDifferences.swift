import HeavyliftStore
import HeavyliftReports

/// Describes how one store differs from another of the same model.
struct LawDifferences {
  private(set) var mistakes: [String] = []

  init(from expected: PersistentStore, to found: PersistentStore) throws {
    var options = StoreDifference.Options()
    options.includesValues = true
    let difference = try StoreDifference(from: expected, to: found, options: options)
    for entity in difference.entities where !entity.isSame {
      mistakes += entity.removedExamples.map { "object \(entity.name)/p\($0) is missing" }
      mistakes += entity.addedExamples.map { "object \(entity.name)/p\($0) should not exist" }
      for object in entity.changedExamples {
        mistakes += object.properties.map { property in
          "object \(entity.name)/p\(object.key): '\(property.name)' is \(property.new ?? "nil"), "
            + "but was \(property.old ?? "nil")"
        }
      }
    }
    if !difference.danglingLinks.isSame { mistakes.append("different links lead to missing objects") }
  }
}
