import Foundation
import Heavylift

/// Translates a `#Predicate` into one in the expression language, which runs as the same SQL as a predicate in text.
struct PredicateTranslation {
  private let entities: [ObjectIdentifier: SchemaEntity]
  private var bound: [PredicateExpressions.VariableID: Term] = [:]
  private var variableCount = 0

  /// - Parameter entities: The entities of the context's schema, by class.
  init(entities: [ObjectIdentifier: SchemaEntity]) { self.entities = entities }

  /// Part of a predicate.
  struct Term {
    var text: String
    var arguments: [FormatArgument] = []
    /// The class of the objects that the text leads to; nil for values.
    var entity: Entity.Type?
    /// The attribute or relationship that the text leads to; nil for a computed value.
    var property: SchemaProperty?
    /// A value that the program has captured, which is not in the text yet: its form depends on what it is compared with.
    var captured: Captured?

    /// A captured value.
    struct Captured {
      let value: Any
    }
  }

  /// - Throws: `Diagnostic` for a part that has no counterpart.
  mutating func predicate<Model: Entity>(_ predicate: Predicate<Model>) throws -> MappingPredicate {
    bound[predicate.variable.key] = Term(text: "SELF", entity: Model.self)
    let term = try condition(predicate.expression)
    return try MappingPredicate(format: term.text, arguments: term.arguments)
  }

  mutating func term(_ expression: Any) throws -> Term {
    guard let translatable = expression as? any TranslatableExpression else {
      throw Self.refusal(Self.name(of: expression))
    }
    return try translatable.term(&self)
  }

  // MARK: Variables

  func variable(_ id: PredicateExpressions.VariableID) throws -> Term {
    guard let term = bound[id] else { throw Self.refusal("a variable of another predicate") }
    return term
  }

  mutating func binding<Result>(
    _ id: PredicateExpressions.VariableID, to term: Term, _ body: (inout Self) throws -> Result
  ) rethrows -> Result {
    let outer = bound[id]
    bound[id] = term
    defer { bound[id] = outer }
    return try body(&self)
  }

  /// Returns the number of elements of a to-many relationship that meet a condition.
  mutating func count(
    of elements: Term, _ id: PredicateExpressions.VariableID, where condition: (inout Self) throws -> Term
  ) throws -> Term {
    guard elements.entity != nil else { throw Self.refusal("a condition on elements that are no objects") }
    variableCount += 1
    let name = "$element\(variableCount)"
    let found = try binding(id, to: Term(text: name, entity: elements.entity), condition)
    return Term(
      text: "SUBQUERY(\(elements.text), \(name), \(found.text)).@count", arguments: elements.arguments + found.arguments
    )
  }

  // MARK: Properties

  /// Returns the property of an object that a key path leads to.
  func property(_ path: AnyKeyPath, of object: Term) throws -> Term {
    guard let type = object.entity else { throw Self.refusal("the key path '\(path)'") }
    if EntityType.isIdentifier(path, of: type) {
      return Term(text: object.text, arguments: object.arguments, entity: type)
    }
    guard let swift = EntityType.property(readBy: path, of: type),
      let property = entities[ObjectIdentifier(type)]?.properties.first(where: { $0.name == swift.name })
    else {
      throw Self.refusal("the key path '\(path)', which leads to no stored property of '\(TypeName.scoped(type))'")
    }
    guard !property.isFetched else { throw Self.refusal("fetched property '\(property.swiftName)'") }
    let relationship = swift.declaration as? RelationshipDeclaration
    return Term(
      text: object.text == "SELF" ? property.name : "\(object.text).\(property.name)", arguments: object.arguments,
      entity: relationship?.form.destination, property: property)
  }

  // MARK: Values

  /// Returns two terms with the values that the program has captured, in the form that the other one stores.
  func pair(_ left: Term, _ right: Term) throws -> (Term, Term) {
    (
      try left.captured.map { try written($0, like: right) } ?? left,
      try right.captured.map { try written($0, like: left) } ?? right
    )
  }

  /// Returns a term with its captured value.
  func written(_ term: Term, like other: Term? = nil) throws -> Term {
    try term.captured.map { try written($0, like: other) } ?? term
  }

  private func written(_ captured: Term.Captured, like other: Term?) throws -> Term {
    guard let value = Self.unwrapped(captured.value) else { return Term(text: "nil") }
    if let object = value as? Entity { return Term(text: "%@", arguments: [object.formatArgument]) }
    if let id = value as? ManagedObjectID { return Term(text: "%@", arguments: [id.formatArgument]) }
    return Term(text: "%@", arguments: [try Self.argument(value, like: other?.property)])
  }

  /// Returns the elements of a captured collection as one argument.
  func elements(_ captured: Term.Captured, like other: Term) throws -> Term {
    guard let sequence = captured.value as? any Sequence else { throw Self.refusal("a collection of another kind") }
    func list<Elements: Sequence>(_ elements: Elements) throws -> [FormatArgument] {
      try elements.compactMap { element in
        guard let value = Self.unwrapped(element) else { return nil }
        if let object = value as? Entity { return object.formatArgument }
        return try Self.argument(value, like: other.property)
      }
    }
    return Term(text: "%@", arguments: [.array(try list(sequence))])
  }

  private static func argument(_ value: Any, like property: SchemaProperty?) throws -> FormatArgument {
    // Enumerations and other types have a stored form that only the attribute knows.
    if let value = value as? any ValueConvertible { return .value(value.storedValue) }
    if let codec = property?.codec as? any AnyValueCodec, let stored = try codec.encodeIfPossible(any: value) {
      return .value(stored)
    }
    throw refusal("a value of type '\(TypeName.scoped(Swift.type(of: value)))'")
  }

  private static func unwrapped(_ value: Any) -> Any? {
    guard let optional = value as? any AnyOptional else { return value }
    return optional.wrappedValue.flatMap { unwrapped($0) }
  }

  // MARK: Refusals

  static func refusal(_ part: String) -> Diagnostic {
    Diagnostic(
      .error, code: "schema.predicate", problem: "a '#Predicate' contains \(part), which has no counterpart in SQL",
      remedy: "write that part as text, with 'where:', or filter the objects after fetching them")
  }

  private static func name(of expression: Any) -> String {
    let name = String(TypeName.scoped(type(of: expression)).prefix { $0 != "<" })
    let operators = ["IntRemainder": "%", "IntDivision": "/", "FloatDivision": "/"]
    return operators[name].map { "operator '\($0)'" } ?? "'\(name)'"
  }
}

/// An optional of any type.
private protocol AnyOptional {
  var wrappedValue: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrappedValue: Any? { self }
}
