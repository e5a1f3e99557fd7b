// Written by 'heavylift schema from-model' from version 'Hiding' of 'Hiding.xcdatamodel'.

import Foundation
import HeavyliftSchema

enum Hiding: HeavyliftSchema.VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [Entity.Type] {
    [
      Bool.self,
      Foundation.self,
      StorageProfile.self,
      VersionedSchema.self,
      `protocol`.self,
    ]
  }

  final class Bool: Entity {
    @Attribute var flag: Swift.Bool?
  }

  final class Foundation: Entity {
    @Attribute var flag: Swift.Bool?
  }

  final class StorageProfile: Entity {
    @Attribute var flag: Swift.Bool?
  }

  final class VersionedSchema: Entity {
    @Attribute var flag: Swift.Bool?
  }

  final class `protocol`: Entity {
    @Attribute var flag: Swift.Bool?
  }
}
