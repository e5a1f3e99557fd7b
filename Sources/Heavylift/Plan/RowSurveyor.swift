import HeavyliftStore

/// Reads the source rows of entity mappings and checks whether statements can create their rows.
struct RowSurveyor {
  private let stores: MappedStores
  private let reader: ParallelReader
  private let mayCarry: Bool
  /// The results by question. Entity mappings that split an entity often ask the same one.
  private var readings: [RowTransfer.Question: Reading] = [:]

  private struct Reading {
    let question: RowTransfer.Question
    let misfit: Int64?
    let keys: KeySet
    let columns: ColumnFacts?
  }

  /// - Parameters:
  ///   - reader: Reads half of a large table's rows, unless the source is views.
  ///   - mayCarry: True to find out which rows can stay in their table.
  init(_ stores: MappedStores, _ reader: ParallelReader, mayCarry: Bool) {
    (self.stores, self.reader, self.mayCarry) = (stores, reader, mayCarry)
  }

  /// Adds the source rows of an entity mapping to the survey. In a fused hop with nothing to check, only their keys are
  /// read, and only if there is a filter.
  ///
  /// - Returns: The key of the first row that a statement cannot copy unchanged, with nothing added; nil if there is
  ///   none.
  mutating func read(_ mappingIndex: Int, _ statement: RowTransfer, into survey: inout SourceSurvey) throws -> Int64? {
    let entity = stores.mappings[mappingIndex].sourceEntityName ?? ""
    if let reading = try reading(of: statement, entity) {
      if let misfit = reading.misfit { return misfit }
      survey.rows[mappingIndex] = .init(
        statement: statement, keys: reading.keys, columns: reading.columns, question: reading.question)
      return nil
    }
    var (keys, repeated) = (KeySet(), Int64?.none)
    if let known = survey.knownKeys(mappingIndex) {
      keys = known
    } else {
      try stores.sourceStore.forEachSourceKey(of: statement) { if !keys.insert($0) { repeated = $0 } }
    }
    if let repeated { return repeated }
    survey.rows[mappingIndex] = .init(statement: statement, keys: keys, columns: nil, question: nil)
    return nil
  }

  /// Returns nil if SQL computes none of the attributes, so that nothing needs a check.
  private mutating func reading(of statement: RowTransfer, _ entity: String) throws -> Reading? {
    let names = stores.viewed.map { $0.facts[entity]?.computed ?? [] }
    if let names, names.isEmpty { return nil }
    let question = statement.surveyQuestion(among: names)
    if let known = readings[question] { return known }
    let facts = names == nil ? statement.columnFacts(forCarrying: mayCarry) : nil
    let (keys, misfit) = try stores.sourceStore.survey(
      statement, among: names, facts: facts, with: reader)
    let reading = Reading(question: question, misfit: misfit, keys: keys, columns: facts)
    readings[question] = reading
    return reading
  }
}
