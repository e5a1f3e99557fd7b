import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// The checker's findings agree with evaluation.
struct SoundnessTests {
  private static let checker: ExpressionChecker = {
    var environment = CheckingEnvironment(source: MusicModels.version1)
    environment.enter(.sourceFilter, source: "Track", destination: nil)
    return ExpressionChecker(environment)
  }()

  /// Returns true if only values can show the mistake: an overflow, or a non-numeric string.
  private static func isOfValues(_ mistake: EvaluationMistake) -> Bool {
    switch mistake {
    case .overflow, .inexact, .divisionByZero, .emptyCollection, .indexOutOfBounds, .splitCharacter, .notCastable,
      .endlessPattern:
      true
    default: false
    }
  }

  private static func evaluate(_ predicate: MappingPredicate, on object: MusicObject) throws -> Bool {
    var context = EvaluationContext(EvaluationEnvironment(), object: .object(object))
    return try CompiledPredicate(predicate).evaluate(in: &context)
  }

  @Test(arguments: Seeds.some(of: 1..<13))
  func `an accepted expression is evaluated without a type error`(seed: UInt64) throws {
    var texts = MusicTexts(generator: SeededGenerator(seed: seed))
    var accepted = 0
    for number in 0..<150 {
      let text = texts.predicate(depth: 3)
      let predicate = try MappingPredicate(parsing: text)
      let checked = Self.checker.check(predicate)
      let mayBeNil = checked.diagnostics().contains { $0.code == "expression.argument-may-be-nil" }
      if checked.hasErrors || mayBeNil { continue }
      accepted += 1
      var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
      for _ in 0..<4 {
        let object = MusicObject.random("Track", steps: 3, using: &generator)
        do {
          _ = try Self.evaluate(predicate, on: object)
        } catch let error as ExpressionEvaluationError {
          #expect(Self.isOfValues(error.mistake), "seed \(seed), number \(number): \(text)\n\(error)")
        }
      }
    }
    // A checker that refuses everything would pass.
    #expect(accepted > 40, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(of: 1..<13))
  func `an expression refused for its types fails for an object with all values`(seed: UInt64) throws {
    var texts = MusicTexts(generator: SeededGenerator(seed: seed), wildness: 40)
    let mistakes: Set<String> = ["expression.operand", "expression.quantifier", "expression.unordered"]
    var refused = 0
    for number in 0..<150 {
      let text = texts.comparison(depth: 0)
      let predicate = try MappingPredicate(parsing: text)
      let checked = Self.checker.check(predicate)
      let codes = Set(checked.diagnostics().filter { $0.severity == .error }.map(\.code))
      // For evaluation, nil is an operand of any kind, and an empty collection has nothing to compare.
      if codes.isEmpty || !codes.isSubset(of: mistakes) || text.contains("nil") || text.contains("{}") { continue }
      refused += 1
      var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
      let object = MusicObject.random("Track", steps: 3, isFull: true, using: &generator)
      #expect(throws: ExpressionEvaluationError.self, "seed \(seed), number \(number): \(text)\n\(codes)") {
        try Self.evaluate(predicate, on: object)
      }
    }
    #expect(refused > 3, "seed \(seed)")
  }
}
