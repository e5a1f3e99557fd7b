import HeavyliftModel

/// The facts that a property wrapper states. Each entity class has one declaration for each of its properties.
protocol PropertyDeclaration: AnyObject, Sendable {
  /// The name that the wrapper states; nil for the name of the property.
  var statedName: String? { get }
}

/// A property wrapper with a declaration.
protocol WrappedProperty {
  /// The property's place among the wrappers of its object.
  var number: Int { get }
}

/// The facts that `@Relationship` states.
final class RelationshipDeclaration: PropertyDeclaration {
  let parameters: RelationshipParameters
  let form: RelationshipForm
  /// True if the initial value contains objects, which no new object can have.
  let hasInitialTargets: Bool
  var statedName: String? { parameters.name }

  init(_ parameters: RelationshipParameters, form: RelationshipForm, hasInitialTargets: Bool) {
    self.parameters = parameters
    self.form = form
    self.hasInitialTargets = hasInitialTargets
  }
}

/// The facts that `@FetchedProperty` states.
final class FetchedDeclaration: PropertyDeclaration {
  let destination: Entity.Type
  let predicate: String
  let sortKeys: [FetchRequestDescription.SortKey]
  let fetchLimit: Int
  var statedName: String? { nil }

  init(destination: Entity.Type, predicate: String, fetchLimit: Int, sortKeys: [FetchRequestDescription.SortKey]) {
    self.destination = destination
    self.predicate = predicate
    self.fetchLimit = fetchLimit
    self.sortKeys = sortKeys
  }
}
