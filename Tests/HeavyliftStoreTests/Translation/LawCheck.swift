import Foundation
import HeavyliftExpression
import HeavyliftSQLite

@testable import HeavyliftStore

/// An expression or a predicate.
enum LawSubject: CustomStringConvertible {
  case expression(MappingExpression)
  case predicate(MappingPredicate)

  var description: String {
    switch self {
    case .expression(let expression): "\(expression)"
    case .predicate(let predicate): "\(predicate)"
    }
  }
}

/// Evaluates in both ways and compares the results, row by row.
struct LawCheck {
  let law: LawStore
  /// After this many errors of one expression, the next one is tried.
  static let errorLimit = 3

  struct Outcome {
    var pairs = 0
    var errors = 0
    var isTranslated = false
    /// The disagreement, if there is one.
    var disagreement: String?
  }

  func check(_ subject: LawSubject) throws -> Outcome {
    var outcome = Outcome()
    let store = law.store.store
    let fragment: SQLFragment
    do {
      let translator = try store.translator(forEntity: "Row")
      switch subject {
      case .expression(let expression): fragment = try translator.translate(expression)
      case .predicate(let predicate): fragment = try translator.translate(predicate)
      }
    } catch is NotTranslated {
      return outcome
    }
    outcome.isTranslated = true
    guard fragment.sources.readsOtherRows == fragment.sql.contains("SELECT") else {
      outcome.disagreement = "does not read \(fragment.sources): \(fragment.sql)"
      return outcome
    }
    let evaluate = try evaluator(subject)
    try store.register(fragment.functions)
    let sql =
      "SELECT t0.Z_PK, \(fragment.sql) FROM ZROW t0 \(fragment.joinText) WHERE t0.Z_PK > ? ORDER BY t0.Z_PK"
    let statement: Statement
    do {
      statement = try store.database.prepare(sql)
    } catch {
      outcome.disagreement = "cannot be prepared: \(error)\n\(sql)"
      return outcome
    }
    var index = 0
    while index < law.rows.count, outcome.errors < LawCheck.errorLimit {
      let after = index == 0 ? 0 : law.rows[index - 1].key
      statement.reset()
      try statement.bind(fragment.bindings.map(SQLiteValue.init) + [.integer(after)])
      rows: while index < law.rows.count {
        let row = law.rows[index]
        let expected = Result { try evaluate(row) }.map(LawCheck.text).mapError { LawFailure($0) }
        let found: Result<String, LawFailure>
        do {
          guard try statement.step() else {
            outcome.disagreement = "a row is missing"
            return outcome
          }
          var value = try fragment.value(SQLValue(try statement.row.value(at: 1)))
          if case .predicate = subject, value.isNull { value = .bool(false) }
          found = .success(LawCheck.text(value))
        } catch let error as SQLiteError {
          found = .failure(LawFailure(error.evaluationError ?? error))
        } catch {
          found = .failure(LawFailure(error))
        }
        outcome.pairs += 1
        index += 1
        guard expected == found else {
          outcome.disagreement = "row \(row.key): evaluator \(expected), SQL \(found)\n\(sql)\n\(fragment.bindings)"
          return outcome
        }
        if case .failure = found {
          outcome.errors += 1
          break rows
        }
      }
    }
    return outcome
  }

  private func evaluator(_ subject: LawSubject) throws -> (ManagedObject) throws -> ExpressionValue {
    let environment = EvaluationEnvironment(shape: try law.store.store.shape(ofEntity: "Row"))
    var context = EvaluationContext(environment)
    switch subject {
    case .expression(let expression):
      let compiled = try CompiledExpression(expression, in: environment)
      return { row in
        context.object = .object(row)
        return try compiled.evaluate(in: &context)
      }
    case .predicate(let predicate):
      let compiled = try CompiledPredicate(predicate, in: environment)
      return { row in
        context.object = .object(row)
        return .bool(try compiled.evaluate(in: &context))
      }
    }
  }

  /// All bits of a value; NaN is nil in any store.
  static func text(_ value: ExpressionValue) -> String {
    switch value {
    case .null: return "nil"
    case .bool(let value): return "bool \(value)"
    case .integer(let value): return "integer \(value)"
    case .double(let value): return value.isNaN ? "nil" : "double \(value) \(value.bitPattern)"
    case .decimal(let value): return value.isNaN ? "nil" : "decimal \(value)"
    case .string(let value): return "string \(Array(value.utf8))"
    case .uri(let value): return "uri \(Array(value.utf8))"
    case .date(let value):
      let seconds = value.timeIntervalSinceReferenceDate
      return seconds.isNaN ? "nil" : "date \(seconds) \(seconds.bitPattern)"
    case .uuid(let value): return "uuid \(value)"
    case .data(let value): return "data \(Array(value))"
    case .object(let object): return "integer \((object as? ManagedObject)?.key ?? 0)"
    case .array, .set, .orderedSet, .dictionary: return "a collection"
    }
  }
}

struct LawFailure: Error, Equatable {
  var text: String

  init(_ error: any Error) {
    if let error = error as? ExpressionEvaluationError {
      text = "\(error.mistake) at \(error.range.lowerBound)"
    } else {
      text = "\(error)"
    }
  }
}
