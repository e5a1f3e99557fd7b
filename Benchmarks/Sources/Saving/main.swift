import Foundation
import Heavylift
import SampleLibrary

// Creates and saves objects, each with an owner, and inserts the same rows with plain SQLite calls in the same run.
//
//   swift run -c release --package-path Benchmarks Saving [objects] [rounds]

let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
let rounds = CommandLine.arguments.dropFirst(2).first.flatMap(Int.init) ?? 5
let authors = max(1, count / 100)
let books = SampleBook.make(count)
let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-benchmark-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

func newStore() throws -> PersistentStore {
  try PersistentStore.create(at: folder.appending(path: "\(UUID().uuidString).sqlite"), model: SampleBook.model)
}

func saveObjects() throws -> (making: Duration, saving: Duration) {
  let store = try newStore()
  let context = ManagedObjectContext(store: store)
  let clock = ContinuousClock()
  let making = try clock.measure {
    var owners: [ManagedObject] = []
    for key in 1...authors {
      let author = try context.insert("Author")
      author["name"] = .string("author \(key)")
      owners.append(author)
    }
    for (index, book) in books.enumerated() {
      let object = try context.insert("Book")
      object["title"] = .string(book.title)
      object["subtitle"] = book.subtitle.map(Value.string) ?? .null
      object["pages"] = .integer(book.pages)
      object["rating"] = .double(book.rating)
      object["addedAt"] = .date(book.addedAt)
      object[toOne: "author"] = owners[index % authors]
    }
  }
  let saving = try clock.measure { try context.save() }
  try store.close()
  return (making, saving)
}

func insertRows() throws -> Duration {
  let store = try newStore()
  let url = store.url
  try store.close()
  return ContinuousClock().measure { PlainSQLite.insert(books, authors: authors, into: url) }
}

func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

var (makings, savings, plain): ([Double], [Double], [Double]) = ([], [], [])
for _ in 0..<rounds {
  let objects = try saveObjects()
  makings.append(seconds(objects.making))
  savings.append(seconds(objects.saving))
  plain.append(seconds(try insertRows()))
}
func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
let (making, saving, rows) = (median(makings), median(savings), median(plain))
let total = Double(count + authors)
func line(_ name: String, _ time: Double) -> String {
  let perSecond = Int(total / time)
  return
    "\(name.padding(toLength: 24, withPad: " ", startingAt: 0))  \(String(format: "%7.3f s  %5.2f ×", time, time / rows))"
    + "  \(perSecond) objects/s"
}
print("\(count) objects with an owner each, \(authors) owners; medians of \(rounds) rounds")
print(line("plain SQLite", rows))
print(line("making objects", making))
print(line("validating and saving", saving))
print(line("making and saving", making + saving))
