import HeavyliftModel

/// A difference that no intermediate model can bridge.
enum IntermediateMistake: Hashable {
  /// The name of a property or an entity that the intermediate model keeps is already in use.
  case nameInUse(kept: String, name: String)
  /// A relationship that the intermediate model keeps leads to entities that no longer have a common parent.
  case scatteredDestination(String, entities: [String])
}

extension IntermediateMistake {
  var code: String {
    switch self {
    case .nameInUse: "intermediate.name-in-use"
    case .scatteredDestination: "intermediate.scattered-destination"
    }
  }

  func diagnostic(_ place: String, at location: DiagnosticLocation?) -> Diagnostic {
    let (problem, remedy) =
      switch self {
      case .nameInUse(let kept, let name):
        (
          "\(place) changes: a stage keeps the old one as \(kept.quotedName), but \(name.quotedName) exists",
          "rename \(name.quotedName) in the new version, with its name as renaming identifier"
        )
      case .scatteredDestination(let destination, let entities):
        (
          "\(place) is removed or replaced, but no relationship can keep its objects until a script has run: the "
            + "entities that inherit from \(destination.quotedName) are in separate hierarchies in the new version: "
            + entities.quotedList,
          "write a mapping file for this pair of versions, or keep the relationship for one more version"
        )
      }
    return Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location)
  }
}
