import Foundation
import FoundationXML
import Heavylift
import HeavyliftSchema
import HeavyliftTesting
import Synchronization
import Testing
import XCTest

// A file that imports what a program and its tests import uses the names of Swift and its libraries as it always did.

private struct Shelf {
  var title = "Poems"
  var books = [1, 2, 3]
}

func swiftsKeyPaths() -> (String, Int) {
  let path: KeyPath<Shelf, String> = \.title
  let writable: WritableKeyPath<Shelf, [Int]> = \.books
  return (Shelf()[keyPath: path], Shelf()[keyPath: writable].count)
}

func sourceLocationOfSwiftTesting() -> SourceLocation { #_sourceLocation }

func foundationsXML() throws -> XMLNode? {
  let document = try XMLDocument(xmlString: "<shelf><book title=\"Poems\"/></shelf>")
  let book: XMLElement? = document.rootElement()?.elements(forName: "book").first
  return book?.attribute(forName: "title")
}

func foundationsPredicates() throws -> Bool {
  let many: Predicate<Shelf> = #Predicate { $0.books.count > 2 }
  let sorted = [2, 1].sorted(using: SortDescriptor<Int>(\.description, order: .reverse))
  return try many.evaluate(Shelf()) && sorted == [2, 1]
}

func locksOfSynchronization() -> Bool {
  let count = Mutex(0)
  count.withLock { $0 += 1 }
  let flag = Atomic(true)
  return count.withLock { $0 } == 1 && flag.load(ordering: .relaxed)
}

// A name of one's own comes before an imported one.
private struct Schema { var version = 1 }
private struct Record { var schema = Schema() }
