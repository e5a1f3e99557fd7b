import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Policies that discard all associations of a migration.
@Suite struct ResetAssociationTests {
  private static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Node", attributes: [Models.attribute("name", .string)],
        relationships: [Models.toOne("parent", "Node", "children"), Models.toMany("children", "Node", "parent")])
    ])

  private func parents(forcesObjects: Bool, _ script: ScriptedPolicy.Script) throws -> [String] {
    let test = try MigrationTest(
      from: Self.model, to: Self.model, policies: PolicyRegistry(ScriptedPolicy.self)
    ) { context in
      var last: ManagedObject?
      for number in 1...3 {
        let node = try context.insert("Node")
        node["name"] = .string("\(number)")
        node[toOne: "parent"] = last
        last = node
      }
    }
    test.manager.userInfo = ["NodeToNode": script]
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    try test.migrate(
      MappingModel(entityMappings: [
        EntityMappingDescription(source: "Node", destination: "Node", policy: "ScriptedPolicy")
      ]), options: options)
    return try test.lines("Node", "parent")
  }

  @Test(arguments: [false, true]) func `links that were set before a policy resets its manager stay`(
    forcesObjects: Bool
  ) throws {
    var script = ScriptedPolicy.Script()
    script.endRelationships = { _, manager in manager.reset() }
    #expect(
      try parents(forcesObjects: forcesObjects, script) == [
        "Node/p1 parent=nil", "Node/p2 parent=Node/p1", "Node/p3 parent=Node/p2",
      ])
  }

  @Test(arguments: [false, true]) func `links that are set after a policy has reset its manager lead nowhere`(
    forcesObjects: Bool
  ) throws {
    var script = ScriptedPolicy.Script()
    script.connect = { object, _, manager, callSuper in
      if object.primaryKey == 3 { manager.reset() }
      try callSuper()
    }
    #expect(
      try parents(forcesObjects: forcesObjects, script) == [
        "Node/p1 parent=nil", "Node/p2 parent=Node/p1", "Node/p3 parent=nil",
      ])
  }
}
