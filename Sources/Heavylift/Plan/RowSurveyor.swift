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
  ///   - reader: Reads half of a large table's rows.
  ///   - mayCarry: True to find out which rows can stay in their table.
  init(_ stores: MappedStores, _ reader: ParallelReader, mayCarry: Bool) {
    (self.stores, self.reader, self.mayCarry) = (stores, reader, mayCarry)
  }

  /// Adds the source rows of an entity mapping to the survey.
  ///
  /// - Returns: The key of the first row that a statement cannot copy unchanged, with nothing added; nil if there is
  ///   none.
  mutating func read(_ mappingIndex: Int, _ statement: RowTransfer, into survey: inout SourceSurvey) throws -> Int64? {
    let reading = try reading(of: statement)
    if let misfit = reading.misfit { return misfit }
    survey.rows[mappingIndex] = .init(
      statement: statement, keys: reading.keys, columns: reading.columns, question: reading.question)
    return nil
  }

  private mutating func reading(of statement: RowTransfer) throws -> Reading {
    let question = statement.surveyQuestion
    if let known = readings[question] { return known }
    let facts = statement.columnFacts(forCarrying: mayCarry)
    let (keys, misfit) = try stores.sourceStore.survey(statement, facts: facts, with: reader)
    let reading = Reading(question: question, misfit: misfit, keys: keys, columns: facts)
    readings[question] = reading
    return reading
  }
}
