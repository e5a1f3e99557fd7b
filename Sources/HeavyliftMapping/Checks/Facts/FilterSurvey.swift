import HeavyliftExpression
import HeavyliftModel

/// Collects the conditions that filters impose on an object.
struct FilterSurvey {
  let property: (String) -> PropertyReference?
  private(set) var terms: [FilterTerm] = []
  private(set) var numbers: [MappingExpression: Int] = [:]
  /// The index of each condition that is treated simply as true or false.
  private(set) var questions: [MappingPredicate: Int] = [:]
  /// The comparisons of strings.
  private(set) var texts: Set<KnownComparison> = []

  init(property: @escaping (String) -> PropertyReference?) { self.property = property }

  mutating func visit(_ filter: MappingPredicate) {
    switch filter.kind {
    case .literal: break
    case .not(let negated): visit(negated)
    case .and(let parts), .or(let parts): for part in parts { visit(part) }
    case .custom: ask(filter)
    case .comparison(let comparison):
      guard let known = KnownComparison(comparison), add(known) else {
        ask(filter)
        return
      }
    }
  }

  private mutating func ask(_ filter: MappingPredicate) {
    let question = filter.question.predicate
    if questions[question] == nil { questions[question] = questions.count }
  }

  /// Adds the comparison; returns false if it does not fit the key's type.
  private mutating func add(_ known: KnownComparison) -> Bool {
    var term = numbers[known.term].map { terms[$0] } ?? self.term(known.term, with: known.constant)
    if term.kind == .text {
      guard known.constant.isNull || known.result(for: .string("")) != nil else { return false }
    } else {
      guard known.options.isEmpty else { return false }
    }
    switch (known.comparator, term.kind) {
    case (.equal, .unordered), (.notEqual, .unordered): break
    case (_, .text): if !known.constant.isNull, known.constant.string == nil { return false }
    case (_, .unordered): return false
    default: if !known.constant.isNull, known.constant.comparableNumber == nil { return false }
    }
    if term.kind == .text, !known.constant.isNull { texts.insert(known) }
    if !known.options.isEmpty { term.hasOptions = true }
    if ![.equal, .notEqual].contains(known.comparator) { term.isOrdered = true }
    term.add(known.constant)
    if let number = numbers[known.term] {
      terms[number] = term
    } else {
      numbers[known.term] = terms.count
      terms.append(term)
    }
    return true
  }

  private func term(_ expression: MappingExpression, with constant: Value) -> FilterTerm {
    let other = FilterTerm(kind: constant.string == nil ? .unordered : .text, isNullable: true)
    guard case .keyPath(let base, let path) = expression.kind, case .object = base.kind else {
      return other
    }
    if case .collection(.count)? = path.keys.last { return FilterTerm(kind: .whole, isNullable: false) }
    guard path.keys.count == 1, case .name(let name) = path.keys[0], case .attribute(let attribute)? = property(name)
    else { return other }
    let kind: FilterTerm.Kind =
      switch attribute.type {
      case .boolean: .flag
      case .integer16, .integer32, .integer64: .whole
      case .decimal, .double, .float, .date: .number
      case .string: .text
      default: .unordered
      }
    return FilterTerm(
      kind: kind, isNullable: attribute.isOptional, constants: kind == .flag ? [.double(0), .double(1)] : [])
  }
}

extension MappingPredicate {
  /// The condition that the predicate tests, with `!=` replaced by `==`; `isNegated` is true if that was necessary.
  var question: (predicate: MappingPredicate, isNegated: Bool) {
    guard case .comparison(var comparison) = kind, comparison.quantifier == nil, comparison.comparator == .notEqual
    else { return (self, false) }
    comparison.comparator = .equal
    return (MappingPredicate(.comparison(comparison)), true)
  }
}
