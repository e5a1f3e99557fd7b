import HeavyliftExpression
import HeavyliftModel

/// The function that libFuzzer calls with each input: the first byte selects how the rest is parsed, the next two how it is
/// checked.
///
/// A text results in a tree that is printed and read back as the same tree, checked, translated and compiled, or in
/// mistakes with a place in the text and a message. Anything else ends the process, which libFuzzer reports.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExpressions(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 3 else { return 0 }
  let text = String(decoding: UnsafeBufferPointer(start: bytes + 3, count: count - 3), as: UTF8.self)
  let checks = Checks(text: text, environment: FuzzModel.environment(bytes[1], bytes[2]))
  let arguments: [FormatArgument] = [
    .value("a.b"), .value(1), .value(2.5), .array([.value("x"), .set([.value(1)])]), .value(.double(.nan)),
  ]
  do {
    switch bytes[0] % 4 {
    case 0:
      let tree = try MappingExpression(parsing: text)
      try promise(MappingExpression(parsing: tree.text()) == tree, "an expression is read back")
      checks.use(tree)
    case 1:
      let tree = try MappingPredicate(parsing: text)
      try promise(MappingPredicate(parsing: tree.text()) == tree, "a predicate is read back")
      checks.use(tree)
    case 2:
      let tree = try MappingExpression(parsing: text, acceptingOtherFunctions: false)
      let substituted = tree.substituting(["source": tree])
      promise(substituted.description.isEmpty == false, "a tree has a text")
      checks.use(tree)
    default:
      let tree = try MappingPredicate(format: text, arguments: arguments)
      let format = try tree.format()
      let read = try MappingPredicate(format: format.text, arguments: format.arguments)
      // NaN is not equal to itself, and neither is a tree that contains it.
      promise(read == tree || tree != tree, "a predicate with arguments is read back")
      checks.use(tree)
    }
  } catch let error as ExpressionSyntaxError {
    promise(!error.mistakes.isEmpty && error.mistakes.count <= 20, "an error has mistakes")
    for mistake in error.mistakes {
      checks.require(mistake.range)
      promise(!mistake.problem.isEmpty && mistake.remedy?.isEmpty != true, "a mistake has words")
    }
    // Showing the place of every mistake takes longer than finding it, so this is done for some texts only.
    if bytes[2] & 3 == 0 { promise(!error.description.isEmpty, "an error has words") }
  } catch {
    promise(false, "nothing else is thrown than \(error)")
  }
  return 0
}

/// The checks that every parsed tree must pass.
private struct Checks {
  let text: String
  let environment: CheckingEnvironment

  func use(_ tree: MappingExpression) {
    require(ExpressionChecker(environment).check(tree))
    translate { (translator) throws(NotTranslated) in try translator.translate(tree) }
    compile { _ = try CompiledExpression(tree, in: $0) }
  }

  func use(_ tree: MappingPredicate) {
    require(ExpressionChecker(environment).check(tree))
    // The environment knows that the filter holds.
    var filtered = environment
    filtered.sourceFilter = tree
    require(ExpressionChecker(filtered).check(tree))
    translate { (translator) throws(NotTranslated) in try translator.translate(tree) }
    compile { _ = try CompiledPredicate(tree, in: $0) }
  }

  private func require(_ checked: CheckedExpression) {
    promise(checked.findings.count <= 100, "what is found can be read")
    promise(!checked.type.description.isEmpty, "a type has words")
    for (finding, diagnostic) in zip(checked.findings, checked.diagnostics()) {
      require(finding.range)
      promise(!diagnostic.problem.isEmpty && diagnostic.remedy?.isEmpty != true, "a finding has words")
    }
  }

  private func translate(_ body: (SQLTranslator) throws(NotTranslated) -> SQLFragment) {
    let translator = SQLTranslator(schema: FuzzSchema(), entity: "Book", rowVariables: ["source"])
    do {
      let fragment = try body(translator)
      let places = fragment.sql.utf8.count { $0 == UInt8(ascii: "?") }
      promise(places == fragment.bindings.count, "every place in a statement has its value")
    } catch {
      promise(!error.reason.isEmpty, "a refusal has words")
      require(error.range)
    }
  }

  private func compile(_ body: (EvaluationEnvironment) throws -> Void) {
    do {
      try body(EvaluationEnvironment(variables: ["source", "manager", "entityPolicy"]))
    } catch let error as ExpressionEvaluationError {
      promise(!error.description.isEmpty, "an error has words")
    } catch {
      promise(false, "nothing else is thrown while compiling")
    }
  }

  func require(_ range: SourceRange) {
    let isOne = 0 <= range.lowerBound && range.lowerBound <= range.upperBound
    promise(isOne && range.upperBound <= text.unicodeScalars.count, "a mistake is within the text")
  }
}
