// Written by 'heavylift schema from-model' from version 'Orders' of 'Orders.xcdatamodel'.
//
// The model also has these parts, which classes cannot declare:
// - composite type 'Level': its name, which becomes 'Level_level'

import Foundation
import HeavyliftSchema

enum Orders: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] { [Codable.self, Order.self, StorageProfile.self] }
  static var storageProfile: HeavyliftSchema.StorageProfile { .swiftData }

  enum Direction: Swift.Codable, CaseIterable {
    case north, `default`
  }

  // The model does not contain the cases. If you know them, write 'enum Kind: Int, Swift.Codable' instead.
  struct Kind: RawRepresentable, Hashable, Swift.Codable {
    var rawValue: Int
  }

  // The model does not contain the cases. If you know them, write 'enum Level: Int16, Swift.Codable' instead.
  struct Level: RawRepresentable, Hashable, Swift.Codable {
    var rawValue: Int16
  }

  // The model does not contain the cases. If you know them, write 'enum Status: String, Swift.Codable' instead.
  struct Status: RawRepresentable, Hashable, Swift.Codable {
    var rawValue: String
  }

  struct Address: Swift.Codable {
    var city: String?
    var kind: Kind?
  }

  struct Other: Swift.Codable {
    var a: String?
    var b: String?
  }

  final class Codable: Entity {
    @Attribute var previous: Status?
    @Attribute(userInfo: ["owner": "shop"]) var status: Status
  }

  final class Order: Entity {
    @Attribute var address: Address?
    @Attribute var direction: Direction
    @Attribute var level: Level?
    @Attribute(userInfo: ["enum": "Order"]) var other: Other?
  }

  final class StorageProfile: Entity {
    @Attribute var name: String?
  }
}
