import HeavyliftExpression
import HeavyliftModel

/// Values copied unchanged may violate bounds that only the destination has. Objects with such values are refused.
struct NarrowedBounds: MappingRule {
  /// A bound that the source does not enforce.
  enum Bound: Hashable {
    case minimum(Value)
    case maximum(Value)
    case minimumLength(Int)
    case maximumLength(Int)
    case pattern
  }

  struct Mistake: MappingMistake {
    static let code = "mapping.narrowed-bounds"
    var property: PropertyMappingFact
    var source: String
    var bounds: [Bound]
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    mapping.properties.compactMap { property in
      guard let attribute = property.attribute, !property.owner.isCustom, let entity = property.owner.source,
        case .copied(let name) = property.complete.origin,
        case .attribute(let old)? = mapping.source.property(named: name, of: entity)?.property,
        // If the filter tests the value, the author has considered its range.
        property.owner.mapping.filter?.mentions(name) != true
      else { return nil }
      let bounds = Bound.narrowed(from: old.validation, to: attribute.validation, in: attribute.type)
      return bounds.isEmpty
        ? nil : Mistake(property: property, source: name, bounds: bounds, location: property.location(of: "name"))
    }
  }
}

extension NarrowedBounds.Bound {
  static func narrowed(from old: AttributeValidation, to new: AttributeValidation, in type: AttributeType) -> [Self] {
    func number(_ bound: Value) -> Double? { bound.compared(in: type).comparableNumber }
    var bounds: [Self] = []
    if let least = number(new.minimum), number(old.minimum).map({ $0 < least }) ?? true {
      bounds.append(.minimum(new.minimum))
    }
    if let most = number(new.maximum), number(old.maximum).map({ $0 > most }) ?? true {
      bounds.append(.maximum(new.maximum))
    }
    if let least = new.minimumLength, least > max(old.minimumLength ?? 0, 0) { bounds.append(.minimumLength(least)) }
    if let most = new.maximumLength, old.maximumLength.map({ $0 > most }) ?? true {
      bounds.append(.maximumLength(most))
    }
    if let pattern = new.regularExpression, pattern != old.regularExpression { bounds.append(.pattern) }
    return bounds
  }

  fileprivate var words: String {
    switch self {
    case .minimum(let value): "be at least \(value.written)"
    case .maximum(let value): "be at most \(value.written)"
    case .minimumLength(let length): "be at least \(length.counted(as: "character")) long"
    case .maximumLength(let length): "be at most \(length.counted(as: "character")) long"
    case .pattern: "match a pattern"
    }
  }
}

extension NarrowedBounds.Mistake {
  var severity: Diagnostic.Severity { .warning }

  var problem: String {
    "\(property.place) is copied unchanged, but its values must now \(bounds.map(\.words).joined(separator: " and "))"
  }

  func remedy(_ names: MappingNames) -> String? {
    let (key, otherwise) = ("$source.\(source)", "or loosen the bounds in the destination model")
    guard bounds.count == 1 else { return "write a 'value' that satisfies this, \(otherwise)" }
    switch bounds[0] {
    case .minimum(let least):
      return "write value='TERNARY(\(key) &lt; \(least.written), \(least.written), \(key))', \(otherwise)"
    case .maximum(let most):
      return "write value='TERNARY(\(key) > \(most.written), \(most.written), \(key))', \(otherwise)"
    case .minimumLength, .maximumLength, .pattern: return "write a 'value' that satisfies this, \(otherwise)"
    }
  }
}

extension Value {
  /// The value as written in an expression.
  fileprivate var written: String { MappingExpression(.constant(.value(self))).description }
}
