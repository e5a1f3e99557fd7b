import HeavyliftModel
import HeavyliftStore
import HeavyliftTestSupport
import Testing

@Suite struct ConfigurationTests {
  /// Groups live in one store, tags in another.
  static let model = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Group", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [RelationshipDescription(name: "tags", destinationEntityName: "Tag")]),
      EntityDescription(name: "Tag", attributes: [AttributeDescription(name: "label", type: .string)]),
    ],
    configurations: [
      ConfigurationDescription(name: "Local", entityNames: ["Group"]),
      ConfigurationDescription(name: "Cloud", entityNames: ["Tag"]),
    ])

  @Test func `a relationship to an entity outside the store's configuration is reported as such`() throws {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.configuration = "Local"
    let store = try PersistentStore.create(at: folder.appending("local.sqlite"), model: Self.model, options: options)
    let context = ManagedObjectContext(store: store)
    let group = try context.insert("Group")
    group["name"] = "readers"
    let error = #expect(throws: Diagnostic.self) { try group.objects(forKey: "tags") }
    #expect(
      error?.description == """
        error[object.outside-configuration]: relationship 'tags' of entity 'Group' leads to entity 'Tag', which is not in \
        the store's configuration
          keep the two entities in one configuration: a relationship cannot lead to another store
        """)
    try context.save()
  }
}
