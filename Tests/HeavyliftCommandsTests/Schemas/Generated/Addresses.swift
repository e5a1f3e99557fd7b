// Written by 'heavylift schema from-model' from version 'Addresses' of 'Addresses.xcdatamodel'.
//
// The model also has these parts, which classes cannot declare:
// - composite type 'Address', element 'street': defaultValue: "none" → none
// - composite type 'Unused': no attribute uses it

import Foundation
import HeavyliftSchema

enum Addresses: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Person.self] }
  static var storageProfile: StorageProfile { .swiftData }

  struct Address: Codable {
    var city: String?
    var place: Point?
    var street: String?
  }

  struct Point: Codable {
    var x: Double?
    var y: Double?
  }

  final class Person: Entity {
    @Attribute var home: Address?
    @Attribute var name: String?
    @Attribute var work: Address
    @Relationship(inverse: \Person.$friendsOf) var friends: Set<Person>
    @Relationship(isOptional: true, isOrdered: true) var friendsOf: [Person]
  }
}
