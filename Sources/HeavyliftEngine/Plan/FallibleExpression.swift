import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// An expression that fails for some values: a conversion, arithmetic that can overflow, or a function of the program.
///
/// A plan lists them because only the data shows whether they fail.
public struct FallibleExpression: Hashable, Sendable {
  /// The entity mapping that evaluates it.
  public var entityMapping: String
  /// The destination entity; `nil` if the entity mapping removes objects.
  public var entity: String?
  /// The destination property; `nil` for the entity mapping's filter.
  public var property: String?
  /// The expression as text.
  public var expression: String

  /// Creates a description of an expression.
  public init(entityMapping: String, entity: String?, property: String?, expression: String) {
    self.entityMapping = entityMapping
    self.entity = entity
    self.property = property
    self.expression = expression
  }
}

extension FallibleExpression: CustomStringConvertible {
  /// The property and the expression: `Invoice.issuedAt: CAST($source.issued, "NSDate")`.
  public var description: String {
    guard let property else { return "the filter of '\(entityMapping)': \(expression)" }
    return "\(entity.map { "\($0)." } ?? "")\(property): \(expression)"
  }
}

extension MappedStores {
  /// The expressions that fail for some values, in the order in which they run.
  var fallibleExpressions: [FallibleExpression] { mappings.flatMap(fallibleExpressions) }

  func fallibleExpressions(of mapping: CompleteEntityMapping) -> [FallibleExpression] {
    var found: [FallibleExpression] = []
    func add(_ property: String?, _ expression: String) {
      found.append(
        FallibleExpression(
          entityMapping: mapping.name, entity: mapping.destinationEntityName, property: property,
          expression: expression))
    }
    if let filter = mapping.filter, mayFail(filter, of: mapping) { add(nil, filter.description) }
    for property in mapping.attributeMappings {
      guard let expression = property.valueExpression, mayFail(expression, property.name, of: mapping) else { continue }
      add(property.name, expression.description)
    }
    for property in mapping.relationshipMappings {
      guard let expression = property.valueExpression, expression.mayFailAsLinks else { continue }
      add(property.name, expression.description)
    }
    return found
  }

  private func mayFail(_ filter: MappingPredicate, of mapping: CompleteEntityMapping) -> Bool {
    guard let entity = mapping.sourceEntityName, let translator = try? sourceStore.translator(forEntity: entity) else {
      return false
    }
    // The evaluator fails for the same values as SQL. What is not translated is not known.
    return (try? translator.translate(filter))?.mayFail ?? true
  }

  private func mayFail(_ expression: MappingExpression, _ attribute: String, of mapping: CompleteEntityMapping) -> Bool
  {
    if case .constant = expression.kind { return false }
    guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName,
      let entity = destinationModel.entity(named: destination),
      let description = destinationModel.allAttributes(of: entity).first(where: { $0.name == attribute })
    else { return false }
    if description.isRecomputed { return false }
    if let key = expression.sourceKey, let old = sourceModel.entity(named: source),
      sourceModel.allAttributes(of: old).first(where: { $0.name == key })?.type == description.type
    {
      return false
    }
    do {
      var statement = try RowTransfer(
        from: self.source, entity: source, where: nil, to: self.destination, entity: destination)
      try statement.set(attribute, to: value(of: description, expression))
      return statement.fallible.contains(attribute)
    } catch {
      // Copies that SQL does not make are those of files and composites.
      return expression.sourceKey == nil
    }
  }
}

extension MappingExpression {
  /// True if the expression for a relationship is more than counterparts of source objects.
  fileprivate var mayFailAsLinks: Bool {
    let objects = counterpartsRequest?.objects ?? self
    switch objects.kind {
    case .constant, .variable("source"): return false
    case .keyPath(let base, _): if case .variable("source") = base.kind { return false } else { return true }
    default: return true
    }
  }
}
