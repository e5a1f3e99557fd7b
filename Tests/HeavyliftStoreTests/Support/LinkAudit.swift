import HeavyliftModel
import Testing

@testable import HeavyliftStore

/// Checks both ends of every relationship of every object.
enum LinkAudit {
  /// Descriptions of the disagreements; empty if both ends of every link agree.
  static func disagreements(_ context: ManagedObjectContext, entities: [String]) throws -> [String] {
    var objects: [ManagedObject] = []
    for entity in entities { objects += try context.fetch(FetchRequest(entityName: entity)) }
    var found: [String] = []
    for object in objects {
      for toOne in object.runtime.toOnes where !toOne.description.isImplied {
        guard let inverse = toOne.description.inverseName,
          let target = try object.object(forKey: toOne.description.name)
        else { continue }
        if target.isDeleted { found.append("\(object).\(toOne.description.name) leads to the deleted \(target)") }
        if try !leads(target, inverse, to: object) { found.append("\(object).\(toOne.description.name) -> \(target)") }
      }
      for toMany in object.runtime.toManys {
        guard let inverse = toMany.description.inverseName else { continue }
        let targets = try object.objects(forKey: toMany.description.name)
        if Set(targets).count != targets.count { found.append("\(object).\(toMany.description.name) repeats a target") }
        for target in targets {
          if target.isDeleted { found.append("\(object).\(toMany.description.name) leads to the deleted \(target)") }
          if try !leads(target, inverse, to: object) {
            found.append("\(object).\(toMany.description.name) => \(target)")
          }
        }
      }
    }
    return found
  }

  private static func leads(_ object: ManagedObject, _ name: String, to target: ManagedObject) throws -> Bool {
    if object.runtime.slots[name] == nil, case .toOne(let implied)? = object.runtime.relationshipSlot(named: name) {
      try object.fulfill()
      return object.toOnes[implied] == target.key
    }
    if case .toOne? = object.runtime.slots[name] { return try object.object(forKey: name) == target }
    return try object.objects(forKey: name).contains(target)
  }
}
