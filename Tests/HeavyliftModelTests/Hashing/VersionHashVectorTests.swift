import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Hashes from real stores and compiled models.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct VersionHashVectorTests {
  private struct Vector: Decodable {
    var entity: Entity
    var superentities: [Entity]
    var store: String?
    var versionHash: String
  }

  private struct Entity: Decodable {
    var name: String
    var abstract: Bool
    var superentity: String?
    var versionHashModifier: String?
    var uniquenessConstraints: [[String]]
    var properties: [Property]
  }

  private struct Property: Decodable {
    var kind: String
    var name: String
    var expression: String?
    var optional: Bool
    var transient: Bool
    var attributeType: Int32?
    var preservesValueInHistoryOnDeletion: Bool?
    var versionHashModifier: String?
    var destination: String?
    var inverse: String?
    var minCount: Int?
    var maxCount: Int?
    var ordered: Bool?
  }

  @Test func `every public hash is reproduced, and none is assumed`() throws {
    let vectors = try JSONDecoder().decode(
      [Vector].self, from: Data(contentsOf: Corpus.vectors.appending(path: "version-hashes.json")))
    #expect(vectors.count == 143)
    for vector in vectors {
      // Only the entity itself lists the expressions of derived attributes, inherited ones included.
      let expressions = Dictionary(
        vector.entity.properties.compactMap { property in property.expression.map { (property.name, $0) } },
        uniquingKeysWith: { first, _ in first })
      let model = ManagedObjectModel(
        entities: try ([vector.entity] + vector.superentities).map { try description($0, expressions) })
      let computed = try #require(model.entityVersionHashes()[vector.entity.name])
      #expect(computed.hash.hexadecimal == vector.versionHash, "\(vector.entity.name) of \(vector.store ?? "")")
      #expect(!computed.isAssumed, "\(vector.entity.name) of \(vector.store ?? "")")
    }
  }

  @Test func `the checksums in VersionInfo are those of the hashes beside them`() throws {
    var count = 0
    for file in Corpus.files(endingWith: "VersionInfo.plist") {
      guard let info = try? plist(file), let versions = info["NSManagedObjectModel_VersionHashes"] as? [String: Any],
        let checksums = info["NSManagedObjectModel_VersionChecksums"] as? [String: String]
      else { continue }
      for (version, checksum) in checksums {
        let hashes = try #require(versions[version] as? [String: Data]).mapValues(VersionHash.init(bytes:))
        #expect(hashes.versionChecksum == checksum, "\(version)")
        count += 1
      }
    }
    #expect(count >= 4)
  }

  @Test func `checksum and digest of a real store's hashes are the ones in its metadata`() {
    // SampleModel3_V1.sqlite: one entity, User.
    let hashes = [
      "User": VersionHash(hexadecimal: "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798")
    ].compactMapValues(\.self)
    #expect(hashes.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    #expect(
      hashes.versionHashesDigest
        == "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg==")
  }

  private func plist(_ file: URL) throws -> [String: Any] {
    let value = try PropertyListSerialization.propertyList(from: Data(contentsOf: file), format: nil)
    return value as? [String: Any] ?? [:]
  }

  private func description(_ entity: Entity, _ expressions: [String: String]) throws -> EntityDescription {
    var result = EntityDescription(
      name: entity.name, isAbstract: entity.abstract, superentityName: entity.superentity,
      uniquenessConstraints: entity.uniquenessConstraints.map { .init($0) },
      versionHashModifier: entity.versionHashModifier)
    for property in entity.properties {
      switch property.kind {
      case "attr", "derived":
        let type = try #require(property.attributeType.flatMap(AttributeType.init(rawValue:)))
        result.attributes.append(
          AttributeDescription(
            name: property.name, type: type,
            isOptional: property.optional, isTransient: property.transient,
            preservesValueInHistoryOnDeletion: property.preservesValueInHistoryOnDeletion ?? false,
            derivationExpression: property.kind == "derived" ? expressions[property.name] : nil,
            versionHashModifier: property.versionHashModifier))
      case "rel":
        result.relationships.append(
          RelationshipDescription(
            name: property.name, destinationEntityName: property.destination, inverseName: property.inverse,
            isOptional: property.optional, isTransient: property.transient, isOrdered: property.ordered ?? false,
            minCount: try #require(property.minCount), maxCount: try #require(property.maxCount),
            versionHashModifier: property.versionHashModifier))
      default:
        #expect(property.kind == "fetched")
        result.fetchedProperties.append(FetchedPropertyDescription(name: property.name, fetchRequest: nil))
      }
    }
    return result
  }
}
