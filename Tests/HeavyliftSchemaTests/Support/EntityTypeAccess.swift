@testable import HeavyliftSchema

/// Objects that belong to no store.
enum EntityTypeAccess {
  static func prototype<Model: Entity>(of type: Model.Type) -> Model {
    EntityConstruction.creating(with: EntityRecord(isPrototype: true)) {
      type.init(backing: EntityBacking(object: nil, context: nil, binding: nil))
    }
  }
}
