import HeavyliftExpression
import Testing

/// The object with the most key accesses is stored separately from other values, without visible effects.
@Suite struct SubjectTests {
  private let one = ShapedObject(["a": 1, "b": 10])
  private let two = ShapedObject(["a": 2, "b": 20])

  private func sum(_ text: String, _ environment: EvaluationEnvironment, _ context: inout EvaluationContext) throws
    -> ExpressionValue
  {
    try CompiledExpression(MappingExpression(parsing: text), in: environment).evaluate(in: &context)
  }

  @Test func `a variable returns its value`() throws {
    var environment = EvaluationEnvironment(variables: ["before"])
    let source = environment.declare("source", shape: ShapedObject.Shape())
    environment.declare("after")
    var context = EvaluationContext(environment)
    #expect(context[source].isNull && context.object.isNull)
    for value: ExpressionValue in [1, .object(one), .object(two), "text", nil, .object(one), [2]] {
      context[source] = value
      #expect(context[source] == value && context["source"] == value)
      #expect(try sum("$source", environment, &context) == value)
      #expect(context["before"].isNull && context["after"].isNull && context.object.isNull)
    }
    context.object = .object(two)
    context["before"] = 3
    #expect(context.object == .object(two) && context["before"] == 3 && context[source] == [2])
  }

  @Test func `keys are those of the object that the variable holds at the time`() throws {
    var environment = EvaluationEnvironment()
    environment.declare("source", shape: ShapedObject.Shape())
    environment.declare("destination", shape: ShapedObject.Shape())
    var context = EvaluationContext(environment)
    #expect(try sum("$source.a + $destination.b", environment, &context).isNull)
    context["source"] = .object(one)
    #expect(try sum("$source.a + $destination.b", environment, &context).isNull)
    context["destination"] = .object(two)
    #expect(try sum("$source.a + $destination.b", environment, &context) == 21)
    context["source"] = .object(two)
    #expect(try sum("$source.a + $destination.b", environment, &context) == 22)
    context["source"] = .dictionary(["a": 5])
    #expect(try sum("$source.a + $destination.b", environment, &context) == 25)
    context["source"] = nil
    #expect(try sum("$source.a + $destination.b", environment, &context).isNull)
  }

  @Test func `a copy of a context is one of its own`() throws {
    var environment = EvaluationEnvironment(shape: ShapedObject.Shape())
    environment.declare("source", shape: ShapedObject.Shape())
    var context = EvaluationContext(environment, object: .object(one))
    context["source"] = .object(two)
    var copy = context
    copy.object = .object(two)
    copy["source"] = 1
    #expect(try sum("SELF.a + $source.b", environment, &context) == 21)
    #expect(copy.object == .object(two) && copy["source"] == 1)
  }

  @Test func `a variable of a subquery hides the one outside`() throws {
    var environment = EvaluationEnvironment()
    environment.declare("source", shape: ShapedObject.Shape())
    var context = EvaluationContext(environment)
    context["source"] = .object(one)
    let text = "SUBQUERY({1, 2, 3}, $source, $source > 1).@sum.#self * 100 + $source.a"
    #expect(try sum(text, environment, &context) == 501)
    #expect(context["source"] == .object(one))
  }

  @Test func `a released object is deallocated`() throws {
    var environment = EvaluationEnvironment()
    environment.declare("source", shape: ShapedObject.Shape())
    var context = EvaluationContext(environment)
    weak var seen: ShapedObject?
    do {
      let object = ShapedObject(["a": 1])
      seen = object
      context["source"] = .object(object)
    }
    #expect(seen != nil)
    context["source"] = nil
    #expect(seen == nil)
  }
}
