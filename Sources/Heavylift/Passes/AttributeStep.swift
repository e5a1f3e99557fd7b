import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// An attribute of an entity mapping's objects, with its compiled expression.
final class AttributeStep {
  /// The source of an attribute's value.
  enum Source {
    /// The attribute keeps its default.
    case none
    case constant(Value)
    case expression(CompiledExpression)
  }

  let mapping: PropertyMapping
  let attribute: AttributeDescription
  /// Copies a source attribute directly, until a policy changes the expression; nil if the expression is not just a
  /// key.
  let transfer: AttributeTransfer?
  /// The attribute's storage slot in objects of exactly the destination entity (no sub-entity).
  private let slot: AttributeSlot?
  private var cached: (revision: Int, source: Source)?

  init(
    _ mapping: PropertyMapping, _ attribute: AttributeDescription, of complete: CompleteEntityMapping,
    from source: PersistentStore, to destination: PersistentStore
  ) {
    self.mapping = mapping
    self.attribute = attribute
    if let entity = complete.sourceEntityName, let destinationEntity = complete.destinationEntityName,
      let key = mapping.valueExpression?.sourceKey
    {
      transfer = AttributeTransfer(
        from: source, entity: entity, attribute: key, to: destination, entity: destinationEntity,
        attribute: attribute.name)
    } else {
      transfer = nil
    }
    slot = complete.destinationEntityName.flatMap { AttributeSlot(of: attribute.name, entity: $0, in: destination) }
  }

  /// True if the attribute is copied as it is stored.
  var isPlainCopy: Bool { transfer?.isMove == true && transfer?.isConverting == false }

  /// True if the expression is a key of the source object, and no policy has changed it.
  var isCopied: Bool { transfer != nil && mapping.revision == 0 }

  /// Copies the attribute directly; returns false if its expression must be evaluated.
  func copy(from source: ManagedObject, to object: ManagedObject) throws -> Bool {
    guard let transfer, isCopied else { return false }
    return try transfer.copy(from: source, to: object)
  }

  /// Sets the attribute to a value that already has the attribute's type.
  func set(_ held: Value, of object: ManagedObject) throws {
    guard let slot else { return try object.setValue(held, forKey: attribute.name) }
    try slot.set(held, of: object)
  }

  /// The current source; nil if it is unknown, or out of date because a policy has changed the expression.
  var knownSource: Source? {
    guard let cached, cached.revision == mapping.revision else { return nil }
    return cached.source
  }

  /// Returns the source. It is computed again only after a policy has changed the expression.
  func source(in environment: EvaluationEnvironment) throws -> Source {
    if let knownSource { return knownSource }
    let source = try makeSource(in: environment)
    cached = (mapping.revision, source)
    return source
  }

  private func makeSource(in environment: EvaluationEnvironment) throws -> Source {
    guard let expression = mapping.valueExpression else { return .none }
    let compiled = try CompiledExpression(expression, in: environment)
    if case .constant(.value(let value)) = expression.kind, let held = attribute.holding(constant: value) {
      return .constant(held)
    }
    return .expression(compiled)
  }

  /// Returns the value in the attribute's type.
  func converted(_ value: ExpressionValue) throws -> Value {
    if let plain = Value(value) {
      let adapted = isCopied ? transfer?.adapted(plain) ?? plain : plain
      if let held = adapted.converted(to: attribute.type) { return held }
    }
    throw attribute.cannotHold(value)
  }
}

extension AttributeDescription {
  /// The error for a value that does not fit the attribute's type.
  func cannotHold(_ value: ExpressionValue) -> MigrationError {
    MigrationError(
      .valueOfWrongType,
      problem: "attribute '\(name)' has type \(type.modelName) and cannot hold \(value.kind)"
        + (Value(value) != nil && value.isNumber ? " without loss" : ""),
      remedy: "write an expression whose value has type \(type.modelName)")
  }
}

extension [AttributeStep] {
  /// The steps in an order in which each one follows those whose new values its expression reads, such as
  /// `$destination.title`. Otherwise, the order is kept.
  var afterThoseTheyRead: [AttributeStep] {
    let reads = map { $0.mapping.valueExpression?.destinationKeys ?? [] }
    if reads.allSatisfy(\.isEmpty) { return self }
    var sorted: [AttributeStep] = []
    var isVisited = [Bool](repeating: false, count: count)
    func visit(_ place: Int) {
      if isVisited[place] { return }
      isVisited[place] = true
      for other in indices where reads[place].contains(self[other].attribute.name) { visit(other) }
      sorted.append(self[place])
    }
    for place in indices { visit(place) }
    return sorted
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
  /// Returns a constant in this attribute's type; nil if that is impossible.
  ///
  /// Xcode writes constants as they were typed: numbers and Booleans typed in quotes are still numbers and Booleans.
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
    case .double, .float:
      Double(text).flatMap { number in DecimalText(text)?.isKept(by: number) == false ? nil : .double(number) }
    case .decimal: Decimal(wholeText: text).map(Value.decimal)
    default: nil
    }
  }
}
