import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// One attribute of an entity mapping's objects, with its expression made ready.
final class AttributeStep {
  /// How the value comes about.
  enum Source {
    /// The attribute keeps its default.
    case none
    /// It is an attribute of the source object, as it is.
    case copy(AttributeTransfer, CompiledExpression)
    case constant(Value)
    case expression(CompiledExpression)
  }

  let mapping: PropertyMapping
  let attribute: AttributeDescription
  /// Of an attribute that is copied as it is: made ready as long as the mapping says so.
  private let transfer: AttributeTransfer?
  private var made: (revision: Int, source: Source)?

  init(
    _ mapping: PropertyMapping, _ attribute: AttributeDescription, of complete: CompleteEntityMapping,
    from source: PersistentStore, to destination: PersistentStore
  ) {
    self.mapping = mapping
    self.attribute = attribute
    if let entity = complete.sourceEntityName, let destinationEntity = complete.destinationEntityName,
      let key = mapping.valueExpression?.sourceRelationshipName
    {
      transfer = AttributeTransfer(
        from: source, entity: entity, attribute: key, to: destination, entity: destinationEntity,
        attribute: attribute.name)
    } else {
      transfer = nil
    }
  }

  /// What to do, made ready anew only where a policy has set another expression.
  func source(in environment: EvaluationEnvironment) throws -> Source {
    if let made, made.revision == mapping.revision { return made.source }
    let source = try makeSource(in: environment)
    made = (mapping.revision, source)
    return source
  }

  private func makeSource(in environment: EvaluationEnvironment) throws -> Source {
    guard let expression = mapping.valueExpression else { return .none }
    let compiled = try CompiledExpression(expression, in: environment)
    if let transfer, mapping.revision == 0 { return .copy(transfer, compiled) }
    if case .constant(.value(let value)) = expression.kind, let held = attribute.holding(constant: value) {
      return .constant(held)
    }
    return .expression(compiled)
  }

  /// The value as the attribute holds it.
  func converted(_ value: ExpressionValue) throws -> Value {
    if let plain = Value(value), let held = plain.converted(to: attribute.type) { return held }
    throw MigrationError(
      .valueOfWrongType,
      problem: "attribute '\(attribute.name)' is \(attribute.type.modelName) and cannot hold \(value.kind)"
        + (Value(value) != nil && value.isNumber ? " without losing something" : ""),
      remedy: "write an expression that gives \(attribute.type.modelName)")
  }
}

extension ExpressionValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal: true
    default: false
    }
  }
}

extension AttributeDescription {
  /// A constant as this attribute holds it; nil if it cannot.
  ///
  /// Xcode writes constants as they were typed, and numbers and Booleans that were typed in quotes are numbers and
  /// Booleans all the same.
  package func holding(constant value: Value) -> Value? {
    if let held = value.converted(to: type) { return held }
    guard case .string(let text) = value else { return nil }
    return switch type {
    case .boolean:
      switch text.lowercased() {
      case "yes", "true", "1": .bool(true)
      case "no", "false", "0": .bool(false)
      default: nil
      }
    case .integer16, .integer32, .integer64: Int64(text).map(Value.integer)
    case .double, .float: Double(text).map(Value.double)
    case .decimal:
      text.isDecimalNumber ? Decimal(string: text).map(Value.decimal) : nil
    default: nil
    }
  }
}

extension String {
  /// `Decimal(string:)` reads the beginning and passes over the rest.
  fileprivate var isDecimalNumber: Bool { Double(self) != nil && !lowercased().contains("n") && !contains("x") }
}
