import Foundation
import Heavylift

// Runs the clients next to this folder, in a temporary folder that is the working directory.

func require(_ isSo: Bool, _ what: String) {
  guard !isSo else { return }
  print("clients: \(what)")
  exit(1)
}

let (title, count) = swiftsKeyPaths()
require(title == "Poems" && count == 3, "Swift's key paths")
require(sourceLocationOfSwiftTesting().line > 0, "Swift Testing's source locations")
require(try foundationsXML()?.stringValue == "Poems", "FoundationXML")
require(try foundationsPredicates(), "Foundation's predicates")
require(locksOfSynchronization(), "Synchronization")

let first = ManagedObjectModel(entities: [
  EntityDescription(
    name: "Book", managedObjectClassName: nil, attributes: [AttributeDescription(name: "title", type: .string)])
])
var second = first
second.entities[0].attributes.append(AttributeDescription(name: "pages", type: .integer32))
try ModelBundle(
  versions: [.init(name: "Library", model: first), .init(name: "Library 2", model: second)],
  currentVersionName: "Library 2"
).write(to: URL(filePath: "Library.xcdatamodeld"))
try #"<mapping-model source="Library" destination="Library 2"/>"#.write(
  toFile: "1-2.xml", atomically: true, encoding: .utf8)

func store(_ name: String) throws -> URL {
  let url = URL(filePath: name)
  let store = try PersistentStore.create(at: url, model: first)
  let context = ManagedObjectContext(store: store)
  try context.insert("Book")["title"] = "Poems"
  try context.save()
  try store.close()
  return url
}

let opened = try store("Opened.sqlite")
let library = Library()
await library.open(opened)
require(library.store != nil && library.fraction == 1, "a store is migrated while it is opened")
try library.store?.close()

let stores = [try store("One.sqlite"), try store("Other.sqlite")]
try await library.openBoth(stores)
for url in stores {
  let migrated = try PersistentStore(url: url, models: [second])
  let books = try ManagedObjectContext(store: migrated).fetch(FetchRequest(entityName: "Book"))
  require(books.map { $0["title"].string } == ["Poems"], "two stores are migrated at once")
  try migrated.close()
}
print("clients: they run")
