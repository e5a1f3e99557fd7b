import HeavyliftModel

/// A difference between two versions, and what an intermediate model does about it.
package struct IntermediateChange: Hashable, Sendable {
  /// The reason why a property is replaced although one of the same name or renaming identifier exists.
  package enum Replacement: String, Hashable, Sendable, CaseIterable {
    /// An attribute has become a relationship, or the other way around.
    case kind
    /// The relationship leads to other objects.
    case destination
    /// The relationship has another inverse.
    case inverse
    /// The new attribute is derived: the store computes its values.
    case derived
    /// The new property is transient.
    case notStored = "not stored"
  }

  /// The kind of difference.
  package enum Kind: Hashable, Sendable {
    /// The entity or property is new.
    case added
    /// The entity or property is removed when the stage ends.
    case removed
    /// The entity or property has another name in the source version.
    case renamed(from: String)
    /// The property is mandatory in only one of the versions.
    case optionality(isMandatory: Bool)
    /// The attribute has another type. The script finds old values in the attribute `old`.
    case type(from: AttributeType, to: AttributeType, old: String)
    /// The relationship allows other numbers of targets.
    case count
    /// The targets of the relationship could have several owners, and now have one: the relationship has lost its
    /// inverse.
    case singleOwner
    /// The relationship is ordered in only one of the versions.
    case order(isOrdered: Bool)
    /// The property was transient and is stored now.
    case stored
    /// The property is not the same thing in the two versions. The script finds old values in the property `old`.
    case replaced(Replacement, old: String)
    /// The values of the attribute must satisfy conditions that the source version does not have.
    case validation
    /// The objects of the entity must have unique values of these properties.
    case uniqueness([String])
    /// The entity inherits from another one.
    case parent(from: String?, to: String?)
    /// The entity has become abstract: the script must replace its objects.
    case becameAbstract
    /// The entity has become concrete.
    case becameConcrete
  }

  /// The name of the entity in the intermediate model.
  package var entity: String
  /// The name of the property in the intermediate model; nil if the change concerns the entity itself.
  package var property: String?
  /// The kind of property; nil if the change concerns the entity itself.
  package var propertyKind: PropertyMappingDescription.Kind?
  /// The kind of difference.
  package var kind: Kind
  /// A Boolean value that indicates whether the destination version cannot be reached from every store unless a script
  /// changes objects.
  package var needsScript: Bool

  /// Creates a change.
  package init(
    entity: String, property: String? = nil, propertyKind: PropertyMappingDescription.Kind? = nil, kind: Kind,
    needsScript: Bool = false
  ) {
    self.entity = entity
    self.property = property
    self.propertyKind = propertyKind
    self.kind = kind
    self.needsScript = needsScript
  }
}

extension IntermediateChange: CustomStringConvertible {
  /// The change as a sentence: `attribute 'added' of entity 'Track' is new and needs a script`.
  package var description: String {
    let thing = (property.map { "\(propertyKind?.rawValue ?? "property") \($0.quotedName) of " } ?? "")
    return "\(thing)entity \(entity.quotedName) \(words)\(needsScript ? "; needs a script" : "")"
  }

  private var words: String {
    switch kind {
    case .added: "is new"
    case .removed: "is removed after the script"
    case .renamed(let name): "was called \(name.quotedName)"
    case .optionality(let isMandatory): isMandatory ? "has become mandatory" : "has become optional"
    case .type(.composite, .composite, let name):
      "has other elements; its old values are in \(name.quotedName)"
    case .type(let old, let new, let name):
      "has type \(new.modelName) instead of \(old.modelName); its old values are in \(name.quotedName)"
    case .count: "allows other numbers of objects"
    case .singleOwner: "has no inverse any more, so that an object can have only one owner"
    case .order(let isOrdered): isOrdered ? "has become ordered" : "is no longer ordered"
    case .stored: "was transient"
    case .replaced(let reason, let name): "\(reason.words); its old values are in \(name.quotedName)"
    case .validation: "has stricter rules, which are checked after the script"
    case .uniqueness(let names): "must have unique values of \(names.quotedList), which is checked after the script"
    case .parent(nil, let new?): "inherits from \(new.quotedName)"
    case .parent(let old?, nil): "no longer inherits from \(old.quotedName)"
    case .parent(let old, let new): "inherits from \((new ?? "").quotedName) instead of \((old ?? "").quotedName)"
    case .becameAbstract: "has become abstract"
    case .becameConcrete: "is no longer abstract"
    }
  }
}

extension IntermediateChange.Replacement {
  fileprivate var words: String {
    switch self {
    case .kind: "was a property of another kind"
    case .destination: "leads to other objects"
    case .inverse: "has another inverse"
    case .derived: "has become derived"
    case .notStored: "has become transient"
    }
  }
}
