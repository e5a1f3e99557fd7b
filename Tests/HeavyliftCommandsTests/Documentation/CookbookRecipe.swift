import Foundation
import Heavylift
import HeavyliftTestSupport

/// A recipe of the cookbook: its two models and its mapping files, as the page shows them.
struct CookbookRecipe {
  var title: String
  var old: ManagedObjectModel
  var new: ManagedObjectModel
  /// The texts of the mapping files.
  var mappings: [String]

  /// Returns the recipes in the order of the page.
  static func all() throws -> [Self] {
    let text = try String(contentsOf: DocumentationPage.named("Cookbook").url, encoding: .utf8)
    return text.split(separator: "\n## ").dropFirst(2).map { section in
      let mappings = MarkdownDocument(String(section)).codeBlocks.filter { $0.language == "xml" }.map(\.text)
      return Self(
        title: String(section.prefix { $0 != "\n" }), old: model("Old", "source", section, mappings),
        new: model("New", "destination", section, mappings), mappings: mappings)
    }
  }

  func mapping(_ text: String) throws -> MappingModel { try MappingReader.read(text: text).validMappingModel() }

  /// The model in the lines that start with a label: `- Old: Note(text: String, tags: [Tag])`.
  private static func model(
    _ label: String, _ side: String, _ section: Substring, _ mappings: [String]
  ) -> ManagedObjectModel {
    let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasPrefix("- \(label): ") }
    let item = lines.prefix(1) + lines.dropFirst().prefix { $0.hasPrefix("  ") }
    let entities = item.joined(separator: " ").matches(of: /`(\w+)\(([^`]*)\)`/).map { match in
      let properties = match.2.split(separator: ", ").map { $0.split(separator: ": ").map(String.init) }
      return (name: String(match.1), properties: properties)
    }
    let name = mappings.first?.firstMatch(of: /source="([^"]+)" destination="([^"]+)"/).map {
      String(side == "source" ? $0.1 : $0.2)
    }
    return ManagedObjectModel(
      name: name,
      entities: entities.map { entity in
        var result = EntityDescription(name: entity.name)
        for property in entity.properties {
          let (name, type) = (property[0], property[1])
          if let attribute = types[type] {
            result.attributes.append(AttributeDescription(name: name, type: attribute))
          } else {
            let target = type.trimmingCharacters(in: ["[", "]"])
            let inverse = entities.first { $0.name == target }?.properties.first {
              $0[1].trimmingCharacters(in: ["[", "]"]) == entity.name
            }?[0]
            result.relationships.append(
              RelationshipDescription(
                name: name, destinationEntityName: target, inverseName: inverse,
                inverseEntityName: inverse.map { _ in target }, maxCount: type == target ? 1 : 0))
          }
        }
        return result
      })
  }

  private static let types: [String: AttributeType] = [
    "String": .string, "Int": .integer64, "Double": .double, "Bool": .boolean, "Data": .binaryData,
    "Date": .date,
  ]
}
