import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftReports

/// The source object that a graph would need so that a mistake in an entity mapping shows, in words:
/// `a Pet with species 'cat' and a born`.
struct LackingObject {
  private let mapping: CompleteEntityMapping
  private let entity: String
  /// The parts after `with`.
  private var parts: [String] = []
  /// The conditions that are not about one key.
  private var conditions: [String] = []
  /// The keys that the filter fixes to a value.
  private var fixed: Set<String> = []

  /// Describes an object that the entity mapping takes.
  init(takenBy mapping: CompleteEntityMapping) {
    self.mapping = mapping
    entity = mapping.sourceEntityName ?? ""
    if let filter = mapping.filter { add(filter) }
  }

  /// The description.
  var text: String {
    guard !entity.isEmpty else { return "an object that \(mapping.name.quotedName) creates" }
    let with = parts.isEmpty ? "" : " with " + parts.joined(separator: " and ")
    let matching = conditions.isEmpty ? "" : " for which " + conditions.joined(separator: " and ")
    return Self.article(entity) + with + (with.isEmpty || matching.isEmpty ? "" : ",") + matching
  }

  /// Describes an object that the entity mapping's filter excludes.
  static func excluded(by mapping: CompleteEntityMapping) -> String {
    guard let filter = mapping.filter, let entity = mapping.sourceEntityName else { return "" }
    if let (key, value) = filter.equality { return "\(article(entity)) with another \(key) than \(shown(value))" }
    return "\(article(entity)) for which '\(filter)' is false"
  }

  /// Describes an object whose property differs from what an unmapped property would be.
  ///
  /// - Parameter default: The attribute's default; `nil` for a relationship.
  func text(for property: CompletePropertyMapping, default: Value?, isToMany: Bool) -> String {
    var other = self
    guard let expression = property.valueExpression else { return text }
    if case .constant = expression.kind { return text }
    let quoted = "'\(expression)'"
    if let value = `default` {
      if let key = expression.sourceKey {
        if !fixed.contains(key) {
          other.parts.append(Self.article(key) + (value.isNull ? "" : " other than \(Self.shown(value))"))
        }
      } else {
        other.conditions.append("\(quoted) is not \(value.isNull ? "nil" : Self.shown(value))")
      }
    } else if let request = expression.counterpartsRequest, let key = request.sourceKey {
      other.parts.append(isToMany ? key : Self.article(key))
    } else if expression.counterpartsRequest?.isSourceItself != true {
      other.conditions.append("\(quoted) has objects")
    }
    return other.text
  }

  /// Describes an object that a policy changes.
  var textForPolicy: String {
    "\(text) that policy \((mapping.policyClassName ?? "").quotedName) migrates differently than the mapping declares"
  }

  private mutating func add(_ filter: MappingPredicate) {
    if case .and(let parts) = filter.kind { return parts.forEach { add($0) } }
    if let (key, value) = filter.equality {
      fixed.insert(key)
      parts.append(value.isNull ? "no \(key)" : "\(key) \(Self.shown(value))")
    } else if case .comparison(let comparison) = filter.kind, comparison.quantifier == nil,
      comparison.comparator == .notEqual, let key = comparison.left.ownKey, comparison.right.plainValue?.isNull == true
    {
      parts.append(Self.article(key))
      fixed.insert(key)
    } else {
      conditions.append("'\(filter)'")
    }
  }

  private static func article(_ noun: String) -> String {
    ("aeiou".contains(noun.lowercased().prefix(1)) ? "an " : "a ") + noun
  }

  private static func shown(_ value: Value) -> String {
    if case .string(let text) = value { return text.quotedName }
    return JSONText.value(value)
  }
}

extension MappingPredicate {
  /// The key and the value, if the predicate is `key == value`.
  fileprivate var equality: (key: String, value: Value)? {
    guard case .comparison(let comparison) = kind, comparison.quantifier == nil, comparison.comparator == .equal,
      let key = comparison.left.ownKey, let value = comparison.right.plainValue
    else { return nil }
    return (key, value)
  }
}

extension MappingExpression {
  /// The key, if the expression is one key of the object itself.
  fileprivate var ownKey: String? {
    guard case .keyPath(let base, let path) = kind, case .object = base.kind, path.keys.count == 1,
      case .name(let name) = path.keys[0]
    else { return nil }
    return name
  }

  fileprivate var plainValue: Value? {
    if case .constant(.value(let value)) = kind { return value }
    return nil
  }
}
