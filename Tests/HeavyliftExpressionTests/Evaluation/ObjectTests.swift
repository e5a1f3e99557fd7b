import Foundation
import HeavyliftExpression
import Testing

/// An object that counts accesses.
private final class Book: ExpressionObject {
  struct Unreadable: Error, CustomStringConvertible { var description: String { "the row is gone" } }

  struct Shape: ExpressionObjectShape {
    func slot(forKey key: String) -> ExpressionSlot? {
      ["title", "author", "broken"].firstIndex(of: key).map {
        ExpressionSlot(owner: ObjectIdentifier(Book.self), number: $0)
      }
    }

    func shape(forKey key: String) -> (any ExpressionObjectShape)? { key == "author" ? Shape() : nil }
  }

  var author: Book?
  let title: String
  private(set) var askedByName: [String] = []

  init(_ title: String, author: Book? = nil) {
    self.title = title
    self.author = author
  }

  func value(forKey key: String) throws -> ExpressionValue {
    askedByName.append(key)
    return try read(key)
  }

  func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue { try read(key) }

  private func read(_ key: String) throws -> ExpressionValue {
    switch key {
    case "title": return .string(title)
    case "author": return author.map { .object($0) } ?? .null
    case "broken": throw Unreadable()
    default: throw EvaluationMistake.unknownKey(key, kind: "entity 'Book'", known: ["title", "author"])
    }
  }
}

@Suite struct ObjectTests {
  private let book = Book("Emma", author: Book("Jane"))

  private func evaluate(_ text: String, shape: Bool = true, on book: Book? = nil) throws -> ExpressionValue {
    var environment = EvaluationEnvironment()
    let source = environment.declare("source", shape: shape ? Book.Shape() : nil)
    var context = EvaluationContext(environment)
    context[source] = .object(book ?? self.book)
    return try CompiledExpression(MappingExpression(parsing: text), in: environment).evaluate(in: &context)
  }

  @Test func `a key of a known shape is asked by its slot`() throws {
    #expect(try evaluate("$source.author.title") == "Jane")
    #expect(try evaluate("FUNCTION($source, 'valueForKeyPath:', 'author.title')") == "Jane")
    #expect(book.askedByName.isEmpty && book.author?.askedByName.isEmpty == true)
  }

  @Test func `a key of an unknown shape is asked by its name`() throws {
    #expect(try evaluate("$source.author.title", shape: false) == "Jane")
    #expect(book.askedByName == ["author"] && book.author?.askedByName == ["title"])
  }

  @Test func `a path through nil is nil`() throws {
    #expect(try evaluate("$source.author.title", on: Book("Beowulf")).isNull)
    #expect(try evaluate("$source.author.author.title").isNull)
  }

  @Test func `objects are only equal to themselves`() throws {
    #expect(try evaluate("TERNARY($source == $source.author, 1, 2)") == 2)
    #expect(try evaluate("TERNARY($source == $source, 1, 2)") == 1)
    #expect(try evaluate("TERNARY($source.author IN {$source.author}, 1, 2)") == 1)
  }

  @Test(arguments: [true, false])
  func `an object's error is reported with the key`(shape: Bool) throws {
    #expect {
      try evaluate("1 + $source.broken", shape: shape)
    } throws: { error in
      let error = error as? ExpressionEvaluationError
      return error?.mistake == .failedKey("broken", "the row is gone") && error?.underlying is Book.Unreadable
        && error?.range == SourceRange(4, 18)
    }
    #expect {
      try evaluate("$source.titel", shape: shape)
    } throws: { error in
      "\(error)" == "error[expression.unknown-key]: entity 'Book' has no key 'titel'\n  did you mean 'title'?"
    }
  }

  @Test func `a fetch is left to the context`() throws {
    var context = EvaluationContext()
    context.fetch = { request, context, countOnly in [request, context, .bool(countOnly)] }
    let expression = try MappingExpression(parsing: "FETCH('r', 'c', YES)")
    #expect(try CompiledExpression(expression).evaluate(in: &context) == ["r", "c", true])
  }

  @Test func `the context provides the time and random numbers`() throws {
    var context = EvaluationContext()
    context.now = { Date(timeIntervalSinceReferenceDate: 7) }
    #expect(
      try CompiledExpression(MappingExpression(parsing: "now()")).evaluate(in: &context)
        == .date(Date(timeIntervalSinceReferenceDate: 7)))
    var numbers: Set<ExpressionValue> = []
    let random = try CompiledExpression(MappingExpression(parsing: "random:(3)"))
    for _ in 0..<200 { numbers.insert(try random.evaluate(in: &context)) }
    #expect(numbers == [0, 1, 2])
  }
}
