import Heavylift

/// The Swift types for a model's composite types.
///
/// SwiftData stores an enumeration as a composite attribute, and notes the name of the enumeration in the attribute's
/// user info. Every other composite is a structure.
struct ClassTypes {
  /// An enumeration of a SwiftData store.
  struct Enumeration: Hashable {
    enum Kind: Hashable {
      /// No raw values: the composite has an element for each case.
      case cases([String])
      /// Raw values of a type, in a single element. The model does not contain the cases.
      case rawValues(AttributeType)
    }

    var name: String
    var kind: Kind
    /// The composite type that an enumeration of this name has in a schema.
    var composite: CompositeDescription

    /// The part that is written once, even if several attributes have composite types of their own.
    var declaration: Declaration { Declaration(name: name, kind: kind) }

    /// The key in the user info of attributes.
    var key: String {
      switch kind {
      case .cases: "enum"
      case .rawValues: "EnumType"
      }
    }
  }

  /// The Swift declaration of an enumeration.
  struct Declaration: Hashable {
    var name: String
    var kind: Enumeration.Kind
  }

  /// The enumerations by the name of their composite type in the model.
  private(set) var enumerations: [String: Enumeration] = [:]

  init(_ model: ManagedObjectModel) {
    let attributes = model.entities.flatMap(\.attributes) + model.composites.flatMap(\.elements)
    let uses = Dictionary(grouping: attributes.filter { $0.type == .composite }) { $0.compositeName ?? "" }
    for composite in model.composites {
      enumerations[composite.name] = Self.enumeration(composite, usedBy: uses[composite.name] ?? [])
    }
    dropConflicts(in: model)
  }

  /// Returns the enumeration that all attributes of a composite type have; `nil` if it is a structure.
  private static func enumeration(
    _ composite: CompositeDescription, usedBy uses: [AttributeDescription]
  ) -> Enumeration? {
    let stated = Set(uses.map { [$0.userInfo["enum"] ?? "", $0.userInfo["EnumType"] ?? ""] })
    guard stated.count == 1, let names = stated.first, let name = names.first(where: { !$0.isEmpty }),
      SwiftWords.isIdentifier(name), !composite.elements.isEmpty
    else { return nil }
    let elements = composite.elements.map { AttributeDescription(name: $0.name, type: $0.type) }
    if !names[0].isEmpty {
      guard elements.allSatisfy({ $0.type == .string && SwiftWords.isIdentifier($0.name) }) else { return nil }
      return Enumeration(
        name: name, kind: .cases(elements.map(\.name)), composite: CompositeDescription(name: name, elements: elements))
    }
    // The element has the name of the attribute.
    guard elements.count == 1, uses.allSatisfy({ $0.name == elements[0].name }), elements[0].type != .transformable,
      SwiftValue.typeName(of: elements[0].type) != nil
    else { return nil }
    return Enumeration(
      name: name, kind: .rawValues(elements[0].type),
      composite: CompositeDescription(name: "\(name)_\(elements[0].name)", elements: elements))
  }

  /// Makes a structure of every composite whose enumeration would have the name of another type.
  private mutating func dropConflicts(in model: ManagedObjectModel) {
    while true {
      let kinds = Dictionary(grouping: enumerations.values, by: \.name).mapValues { Set($0.map(\.kind)).count }
      let structures = model.composites.map(\.name).filter { enumerations[$0] == nil }
      let taken = Set(model.entities.map(\.name) + structures)
      let composites = Dictionary(grouping: enumerations.values, by: \.composite.name).mapValues {
        Set($0.map(\.composite)).count
      }
      let conflicts = enumerations.filter { _, enumeration in
        taken.contains(enumeration.name) || taken.contains(enumeration.composite.name)
          || kinds[enumeration.name] != 1 || composites[enumeration.composite.name] != 1
      }
      guard !conflicts.isEmpty else { return }
      for name in conflicts.keys { enumerations[name] = nil }
    }
  }
}
