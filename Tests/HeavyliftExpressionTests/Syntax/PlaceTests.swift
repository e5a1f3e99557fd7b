import HeavyliftExpression
import HeavyliftModel
import Testing

/// The range of each node of a tree in the text.
struct PlaceTests {
  @Test func `every expression knows its place`() throws {
    let text = #"  $source.a.@count + -(b[0] * 2) ** sum:({1, 'x'}) "#
    let expression = try MappingExpression(parsing: text)
    #expect(
      places(expression, in: text) == [
        #"$source.a.@count + -(b[0] * 2) ** sum:({1, 'x'})"#, "$source.a.@count", "$source",
        #"-(b[0] * 2) ** sum:({1, 'x'})"#, "", #"(b[0] * 2) ** sum:({1, 'x'})"#, "b[0] * 2", "b[0]", "b", "", "0", "2",
        #"sum:({1, 'x'})"#, "{1, 'x'}", "1", "'x'",
      ])
  }

  @Test func `every predicate knows its place`() throws {
    let text = "NOT (a == 1 OR NONE b.c <=[cd] 2) AND TRUEPREDICATE"
    let predicate = try MappingPredicate(parsing: text)
    #expect(
      places(predicate, in: text) == [
        text, "NOT (a == 1 OR NONE b.c <=[cd] 2)", "a == 1 OR NONE b.c <=[cd] 2", "a == 1", "a", "", "1",
        "NONE b.c <=[cd] 2", "NONE b.c <=[cd] 2", "b.c", "", "2", "TRUEPREDICATE",
      ])
  }

  @Test func `names and operators know their places`() throws {
    #expect(try name("1 +  2") == "+")
    #expect(try name("1 ** 2") == "**")
    #expect(try name("-a") == "-")
    #expect(try name("a UNION b") == "UNION")
    #expect(try name("uppercase:(a)") == "uppercase:")
    #expect(try name("mine(a)") == "mine")
    #expect(try name("FUNCTION(a, 'b:', c)") == "'b:'")
    #expect(try name("CAST(a, 'T')") == "'T'")
    #expect(try name("SUBQUERY(a, $x, $x = 1)") == "$x")
    #expect(try name("$x := 1") == "$x")
    #expect(try name("a[LAST]") == "[LAST]")
    #expect(try name("FETCH(a, b, NO)") == "FETCH")
    #expect(try name("TERNARY(a = 1, b, c)") == "TERNARY")
    #expect(try name("CAST(1, 'NSDate')") == "'NSDate'")
  }

  @Test func `keys know their places`() throws {
    let text = "$source . #size.@max.SELF"
    guard case .keyPath(_, let path) = try MappingExpression(parsing: text).kind else {
      throw Unexpected(description: text)
    }
    #expect(path.ranges.map { part(text, $0) } == ["#size", "@max", "SELF"])
    #expect(path.range(ofKeyAt: 1) == SourceRange(16, 20))
    #expect(path.range(ofKeyAt: 3) == nil)
  }

  @Test func `operators of comparisons know their places`() throws {
    let text = "'日本' BEGINSWITH[cd] name"
    guard case .comparison(let comparison) = try MappingPredicate(parsing: text).kind else {
      throw Unexpected(description: text)
    }
    #expect(part(text, comparison.operatorRange) == "BEGINSWITH[cd]")
    // Offsets count scalars, not bytes or characters.
    #expect(comparison.operatorRange == SourceRange(5, 19))
  }

  @Test func `an argument has the place of its placeholder`() throws {
    let text = "%@ + 1"
    let put = try MappingExpression(parsing: "a.b * 20")
    let expression = try MappingExpression(format: text, put)
    #expect(places(expression, in: text) == ["%@ + 1", "%@", "%@", "%@", "%@", "1"])
  }

  @Test func `places do not affect equality`() throws {
    #expect(try MappingExpression(parsing: "a.b+1") == MappingExpression(parsing: "  a . b +  1"))
    #expect(try MappingPredicate(parsing: "a=1").hashValue == MappingPredicate(parsing: "(a == 1)").hashValue)
  }

  private func name(_ text: String) throws -> String { part(text, try MappingExpression(parsing: text).nameRange) }

  /// The text of each node, parents before children.
  private func places(_ expression: MappingExpression, in text: String) -> [String] {
    var places = [part(text, expression.range)]
    _ = expression.kind.mapExpressions {
      places += self.places($0, in: text)
      return $0
    } predicates: {
      places += self.places($0, in: text)
      return $0
    }
    return places
  }

  private func places(_ predicate: MappingPredicate, in text: String) -> [String] {
    var places = [part(text, predicate.range)]
    _ = predicate.kind.mapExpressions {
      places += self.places($0, in: text)
      return $0
    } predicates: {
      places += self.places($0, in: text)
      return $0
    }
    return places
  }

  private func part(_ text: String, _ range: SourceRange) -> String {
    let scalars = Array(text.unicodeScalars)[range.lowerBound..<range.upperBound]
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}
