import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore
@testable import HeavyliftEngine

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

  @Test func `objects that are unaccounted for after a reset are an error that names it`() {
    let step = RowReconciliation.Step(
      name: "NodeToNode", sourceEntityNames: ["Node"], makesObjects: true, hasPolicy: false, isUnfiltered: true,
      migrated: KeySet(), removed: nil)
    let rows = RowReconciliation(counts: ["Node": 3], steps: [step], dropsUnmentioned: false, wasReset: true)
    let error = #expect(throws: HopError.self) { try rows.rows() }
    #expect(
      error?.description == """
        error[migration.134110]: of 3 objects of source entity 'Node', 0 are accounted for
          do not call 'reset()' of the migration manager during a migration: it discards the associations with the new objects
        """)
  }

  @Test func `a policy that associates several objects with one source object is named by a to-one link`() {
    var script = ScriptedPolicy.Script()
    script.create = { object, mapping, manager, callSuper in
      try callSuper()
      guard object.primaryKey == 1 else { return }
      let second = try manager.destinationContext.insert("Node")
      second["name"] = "copy"
      try manager.associate(sourceInstance: object, withDestinationInstance: second, for: mapping)
    }
    let error = #expect(throws: HopError.self) { try parents(forcesObjects: true, script) }
    #expect(
      error?.description == """
        error[migration.1550]: entity mapping 'NodeToNode', in 'createRelationships', property 'parent', object 'Node/p2': \
        relationship 'parent' is to-one, but its expression gives 2 objects
          entity mapping 'NodeToNode' has several objects for one source object, because a policy has associated them: \
        associate one, or set the relationship in the policy's 'createRelationships'
        """)
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

  @Test(arguments: [false, true]) func `links that are lost because a policy has reset its manager are an error`(
    forcesObjects: Bool
  ) throws {
    var script = ScriptedPolicy.Script()
    script.connect = { object, _, manager, callSuper in
      if object.primaryKey == 3 { manager.reset() }
      try callSuper()
    }
    let error = #expect(throws: HopError.self) { try parents(forcesObjects: forcesObjects, script) }
    #expect(
      error?.description == """
        error[migration.134110]: 1 link of relationship 'Node.parent' would be lost
          do not call 'reset()' of the migration manager during a migration: it discards the associations with the new \
        objects
        """)
  }
}
