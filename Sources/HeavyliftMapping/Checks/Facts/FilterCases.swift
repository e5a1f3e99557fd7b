import HeavyliftExpression
import HeavyliftModel

/// All cases that a set of filters can distinguish for an object.
///
/// If filters compare a key with constants, its value is nil, equal to a constant, or below, between or above them.
/// Every other condition is simply true or false. Enumerating the cases shows whether every object passes at least one
/// filter, and whether an object can pass two.
struct FilterCases {
  private static let mostCases = 4096

  /// The possible states of one key of an object.
  private enum Cell: Hashable {
    case null
    /// The string at that index of the examples.
    case text(Int)
    /// Equal to the constant at that index.
    case at(Int)
    /// Between the constant at that index and the one before it; for unordered values: different from all constants.
    case below(Int)
    case truth(Bool)
  }

  private let filters: [MappingPredicate]
  private let terms: [FilterTerm]
  private let numbers: [MappingExpression: Int]
  private let questions: [MappingPredicate: Int]
  private let cells: [[Cell]]
  /// The results of comparisons with each example of a string.
  private let results: [KnownComparison: [Bool]]

  /// Returns `nil` if there are too many cases.
  ///
  /// - Parameter property: Returns the property of the filtered entity with the given name.
  init?(_ filters: [MappingPredicate], property: @escaping (String) -> PropertyReference?) {
    let filters = filters.map(\.withoutLists)
    self.filters = filters
    var survey = FilterSurvey(property: property)
    for filter in filters { survey.visit(filter) }
    (terms, numbers, questions) = (survey.terms, survey.numbers, survey.questions)
    var cells = survey.terms.map { Self.cells(of: $0) }
    cells += [[Cell]](repeating: [.truth(false), .truth(true)], count: questions.count)
    self.cells = cells
    var count = 1
    for list in cells {
      count *= list.count
      if count > Self.mostCases { return nil }
    }
    results = survey.texts.reduce(into: [:]) { results, known in
      guard let number = survey.numbers[known.term] else { return }
      results[known] = survey.terms[number].examples.map { known.result(for: .string($0)) ?? false }
    }
  }

  private static func cells(of term: FilterTerm) -> [Cell] {
    var cells: [Cell] = term.isNullable ? [.null] : []
    cells += term.constants.indices.map { .at($0) }
    switch term.kind {
    case .flag: break
    case .text: return cells.filter { $0 == .null } + term.examples.indices.map { .text($0) }
    case .unordered: cells.append(.below(0))
    case .whole, .number: cells += (0...term.constants.count).filter { term.hasRoom(before: $0) }.map { .below($0) }
    }
    return cells
  }

  /// True if an object can fail all filters.
  var canMissAll: Bool { contains { object in !filters.contains { passes($0, object) } } }

  /// The key that is nil in every object that fails all filters, and in no other object.
  var nilKeyOfMissed: MappingExpression? {
    var keys = Set(terms.indices)
    _ = contains { object in
      let isMissed = !filters.contains { passes($0, object) }
      keys = keys.filter { (object[$0] == .null) == isMissed }
      return keys.isEmpty
    }
    guard let key = keys.min(), canMissAll else { return nil }
    return numbers.first { $0.value == key }?.key
  }

  /// Returns true if an object can pass both filters.
  func canPass(_ one: Int, _ other: Int) -> Bool {
    contains { passes(filters[one], $0) && passes(filters[other], $0) }
  }

  private func contains(_ test: ([Cell]) -> Bool) -> Bool {
    var places = [Int](repeating: 0, count: cells.count)
    if cells.contains(where: \.isEmpty) { return false }
    while true {
      if test(zip(cells, places).map { $0[$1] }) { return true }
      var digit = 0
      while digit < places.count {
        places[digit] += 1
        if places[digit] < cells[digit].count { break }
        places[digit] = 0
        digit += 1
      }
      if digit == places.count { return false }
    }
  }

  private func passes(_ filter: MappingPredicate, _ object: [Cell]) -> Bool {
    switch filter.kind {
    case .literal(let value): return value
    case .not(let negated): return !passes(negated, object)
    case .and(let parts): return parts.allSatisfy { passes($0, object) }
    case .or(let parts): return parts.contains { passes($0, object) }
    case .custom: return truth(of: filter, object)
    case .comparison(let comparison):
      guard let known = KnownComparison(comparison), let number = numbers[known.term] else {
        return truth(of: filter, object)
      }
      return passes(known, terms[number], object[number])
    }
  }

  private func truth(of filter: MappingPredicate, _ object: [Cell]) -> Bool {
    let (question, isNegated) = filter.question
    guard let number = questions[question] else { return false }
    return (object[terms.count + number] == .truth(true)) != isNegated
  }

  private func passes(_ known: KnownComparison, _ term: FilterTerm, _ cell: Cell) -> Bool {
    if known.constant.isNull {
      switch known.comparator {
      case .equal: return cell == .null
      case .notEqual: return cell != .null
      default: return false
      }
    }
    if cell == .null { return known.comparator == .notEqual }
    if case .text(let example) = cell { return results[known]?[example] ?? false }
    guard let place = term.place(of: known.constant) else { return false }
    switch (known.comparator, cell) {
    case (.equal, _): return cell == .at(place)
    case (.notEqual, _): return cell != .at(place)
    case (.less, .at(let other)): return other < place
    case (.less, .below(let other)): return other <= place
    case (.lessOrEqual, .at(let other)), (.lessOrEqual, .below(let other)): return other <= place
    case (.greater, .at(let other)), (.greater, .below(let other)): return other > place
    case (.greaterOrEqual, .at(let other)): return other >= place
    case (.greaterOrEqual, .below(let other)): return other > place
    default: return false
    }
  }
}
