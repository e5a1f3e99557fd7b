import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Stores with a value whose external file is missing, and a version that stores such values in rows.
struct LostFileCommandTests {
  private let fixture: ToolFixture
  private var arguments: [String] { ["Notes.sqlite", "--model", "Notes.xcdatamodeld", "--infer"] }

  init() throws {
    fixture = try ToolFixture()
    func model(isExternal: Bool) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "Note",
          attributes: [
            AttributeDescription(
              name: "picture", type: .binaryData, allowsExternalBinaryDataStorage: isExternal,
              versionHashModifier: isExternal ? nil : "2")
          ])
      ])
    }
    try ModelBundle(
      versions: [
        .init(name: "Notes", model: model(isExternal: true)), .init(name: "Notes 2", model: model(isExternal: false)),
      ], currentVersionName: "Notes 2"
    ).write(to: fixture.folder.appending("Notes.xcdatamodeld"))
    let store = try PersistentStore.create(at: fixture.folder.appending("Notes.sqlite"), model: model(isExternal: true))
    let context = ManagedObjectContext(store: store)
    try context.insert("Note")["picture"] = .data(Data(repeating: 1, count: 200_000))
    try context.save()
    let files = store.externalData
    try FileManager.default.removeItem(at: files.file(named: files.fileNames()[0]))
    try store.close()
  }

  @Test func `a plan says that the value would stop the migration`() throws {
    let run = fixture.run(["plan"] + arguments)
    #expect(run.code == .negative)
    #expect(run.errors.contains("is missing, and the new version needs the data"))
    #expect(run.errors.contains("if the data is lost, migrate it as nil, with --accept-damage"))
  }

  @Test func `a migration that accepts the damage is verified, and lists the value`() throws {
    #expect(fixture.run(["plan"] + arguments + ["--accept-damage"]).code == .success)
    let run = fixture.run(["migrate"] + arguments + ["--accept-damage", "--verify"])
    #expect(run.code == .success, "\(run.errors)")
    #expect(run.output.contains("is missing, and the new store has no value instead"))
    #expect(run.output.contains("verified: everything is as the mapping declares"))
  }
}
