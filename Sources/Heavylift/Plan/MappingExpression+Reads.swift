import HeavyliftExpression
import HeavyliftMapping

extension MappingExpression {
  /// The first key of each key path that starts at the source object.
  package var sourceKeys: Set<String> { sourceKeys { _ in true } }

  /// The keys of the source object that the expression reads without following them any further.
  var lastSourceKeys: Set<String> { sourceKeys { $0.keys.count == 1 } }

  private func sourceKeys(where isIncluded: (KeyPath) -> Bool) -> Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .variable("source") = base.kind,
        case .name(let key)? = path.keys.first, isIncluded(path)
      else { return }
      keys.insert(key)
    }
    return keys
  }

  /// True if the expression's value may depend on destination relationships that are already set: it calls code of the
  /// program, or reads destination objects.
  var mayReadNewObjects: Bool { mayReadNewObjects(givesObjects: true) }

  /// - Parameter givesObjects: True if objects are only passed on as the result, so none of their keys is read.
  fileprivate func mayReadNewObjects(givesObjects: Bool) -> Bool {
    switch kind {
    case .variable("destination"), .variable("entityPolicy"), .variable("manager"), .otherFunction: return true
    case .call(let receiver, let selector, let arguments):
      if case .variable("manager") = receiver.kind {
        let givesDestination = [
          ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
        ].contains(selector)
        let givesSource = [ManagerSelector.sourceInstancesForMapping, ManagerSelector.fetchRequest].contains(selector)
        guard givesSource || givesDestination && givesObjects else { return true }
        return arguments.contains { $0.mayReadNewObjects(givesObjects: false) }
      }
      guard Self.harmlessSelectors.contains(selector) else { return true }
    case .keyPath(let base, let path):
      if case .variable("manager") = base.kind { return path.keys != [.name("sourceContext")] }
    case .ternary(let condition, let then, let otherwise):
      return condition.mayReadNewObjects || then.mayReadNewObjects(givesObjects: givesObjects)
        || otherwise.mayReadNewObjects(givesObjects: givesObjects)
    case .aggregate(let elements): return elements.contains { $0.mayReadNewObjects(givesObjects: givesObjects) }
    case .set(_, let left, let right):
      return left.mayReadNewObjects(givesObjects: givesObjects) || right.mayReadNewObjects(givesObjects: givesObjects)
    default: break
    }
    var found = false
    _ = kind.mapExpressions {
      if $0.mayReadNewObjects(givesObjects: false) { found = true }
      return $0
    } predicates: {
      if $0.mayReadNewObjects { found = true }
      return $0
    }
    return found
  }

  /// The built-in functions, which work on texts, numbers, dates and collections, and the functions that read a key.
  private static let harmlessSelectors = Set(FunctionRegistry.builtIn.selectors + ["valueForKey:", "valueForKeyPath:"])
}

extension MappingPredicate {
  fileprivate var mayReadNewObjects: Bool {
    var found = false
    _ = kind.mapExpressions {
      if $0.mayReadNewObjects(givesObjects: false) { found = true }
      return $0
    } predicates: {
      if $0.mayReadNewObjects { found = true }
      return $0
    }
    return found
  }
}
