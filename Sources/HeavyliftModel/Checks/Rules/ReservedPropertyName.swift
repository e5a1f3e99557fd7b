/// A property cannot have the name of a method without parameters that every managed object has.
///
/// Apple's documentation of `NSPropertyDescription` says so, with "description" as its example, and warns that the list
/// can grow. The name of a method that every object needs is an error. The name of any other documented method is only
/// a warning, because real models have properties with such names.
struct ReservedPropertyName: ModelRule {
  static let refused: Set<String> = [
    "autorelease", "class", "dealloc", "description", "entity", "hash", "init", "isDeleted", "isFault", "isInserted",
    "isProxy", "isUpdated", "managedObjectContext", "objectID", "observationInfo", "release", "retain", "retainCount",
    "self", "superclass", "zone",
  ]
  static let doubtful: Set<String> = [
    "attributeKeys", "autoContentAccessingProxy", "awakeFromFetch", "awakeFromInsert", "changedValues",
    "changedValuesForCurrentEvent", "classCode", "classDescription", "classForArchiver", "classForCoder",
    "classForKeyedArchiver", "className", "copy", "debugDescription", "deleted", "didSave", "didTurnIntoFault",
    "fault", "faultingState", "finalize", "hasChanges", "hasPersistentChangedValues", "inserted", "isEditing",
    "mutableCopy", "objectSpecifier", "prepareForDeletion", "scriptingProperties", "toManyRelationshipKeys",
    "toOneRelationshipKeys", "updated", "willSave", "willTurnIntoFault",
  ]

  struct Mistake: ModelMistake {
    static let code = "model.reserved-name"
    var place: PropertyPlace
    var isRefused: Bool
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.flatMap { entity in
      entity.properties.compactMap { property in
        let isRefused = Self.refused.contains(property.name)
        guard isRefused || Self.doubtful.contains(property.name) else { return nil }
        return Mistake(
          place: PropertyPlace(property, of: entity), isRefused: isRefused,
          location: property.markup.location(of: "name"))
      }
    }
  }
}

extension ReservedPropertyName.Mistake {
  var severity: Diagnostic.Severity { isRefused ? .error : .warning }
  var problem: String { "\(place) has the same name as a method of every managed object" }
  func remedy(_ names: NameSuggestions) -> String? {
    "choose another name, and keep \(place.name.quotedName) as its renaming identifier"
  }
}
