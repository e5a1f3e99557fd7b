import Foundation
import HeavyliftModel
import Testing

@Suite struct VersionHashTests {
  @Test func `the hexadecimal form reads back`() {
    let hash = VersionHash(bytes: Data([0x00, 0x0f, 0xa0, 0xff]))
    #expect(hash.hexadecimal == "000fa0ff")
    #expect("\(hash)" == "000fa0ff")
    #expect(VersionHash(hexadecimal: "000fa0ff") == hash)
    #expect(VersionHash(hexadecimal: "000FA0FF") == hash)
    #expect(VersionHash(hexadecimal: "") == VersionHash(bytes: Data()))
  }

  @Test(arguments: ["0", "0g", "+1", "-1", " 1", "1 ", "٠٠", "0x", "000"])
  func `a hash consists of pairs of hexadecimal digits`(text: String) {
    #expect(VersionHash(hexadecimal: text) == nil)
  }

  @Test func `a changed model has its own hashes and entities, and its copy keeps the old ones`() throws {
    let book = EntityDescription(name: "Book", attributes: [AttributeDescription(name: "title", type: .string)])
    var model = ManagedObjectModel(entities: [book])
    let (copy, hash) = (model, model.versionHashes["Book"])
    model.entities[0].attributes[0].isOptional.toggle()
    #expect(model.versionHashes["Book"] != hash && copy.versionHashes["Book"] == hash)
    model.entities.append(EntityDescription(name: "Author"))
    #expect(model.entity(named: "Author")?.name == "Author" && copy.entity(named: "Author") == nil)
    #expect(model.versionHashes.count == 2 && copy.versionHashes.count == 1)
    model.statedVersionHashes = ["Book": VersionHash(bytes: Data([1]))]
    #expect(model.versionHashes["Book"]?.hexadecimal == "01")
    #expect(model.entityVersionHashes(ignoringStated: true)["Book"]?.hash.hexadecimal != "01")
    model.statedVersionHashes = [:]
    #expect(model.versionHashes["Book"]?.hexadecimal != "01")
  }
}
