import HeavyliftExpression
import HeavyliftMapping

extension MappingExpression {
  /// Whether it calls anything of the program's, or looks at the destination.
  var mayWatch: Bool {
    var found = false
    visit { part in
      switch part.kind {
      case .variable("destination"), .otherFunction: found = true
      case .call(let receiver, let selector, _):
        guard case .variable("manager") = receiver.kind else { return found = found || selector != "valueForKey:" }
        let isBuiltIn = [
          ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
          ManagerSelector.sourceInstancesForMapping, ManagerSelector.fetchRequest,
        ].contains(selector)
        if !isBuiltIn { found = true }
      case .keyPath(let base, _):
        guard case .variable("manager") = base.kind else { return }
        if part.description != "$manager.sourceContext" { found = true }
      default: break
      }
    }
    return found
  }
}
