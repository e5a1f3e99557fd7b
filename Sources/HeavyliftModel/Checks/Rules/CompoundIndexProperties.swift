/// A compound index, as older versions of Xcode wrote it, consists of properties of its entity.
///
/// Newer versions convert or ignore such indexes, so a stale one is not an error.
struct CompoundIndexProperties: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.compound-index"
    var entity: String
    var entityNumber: Int
    var property: String
    /// The reason why there is no column; nil if the property does not exist.
    var reason: String?
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.model.entities.enumerated().flatMap { number, entity in
      entity.compoundIndexes.joined().compactMap { name -> Mistake? in
        let property = model.property(named: name, of: number)?.property
        let reason = property?.reasonForNoColumn
        guard property == nil ? !model.forest.isBroken[number] : reason != nil else { return nil }
        return Mistake(
          entity: entity.name, entityNumber: number, property: name, reason: reason, location: entity.markup.location)
      }
    }
  }
}

extension CompoundIndexProperties.Mistake {
  var severity: Diagnostic.Severity { .warning }
  var problem: String {
    let flaw = reason ?? "the entity does not have"
    return "a compound index of entity \(entity.quotedName) includes \(property.quotedName), which \(flaw)"
  }
  func remedy(_ names: NameSuggestions) -> String? {
    reason == nil
      ? names.column(insteadOf: property, of: entityNumber) : "use a stored attribute or to-one relationship"
  }
}
