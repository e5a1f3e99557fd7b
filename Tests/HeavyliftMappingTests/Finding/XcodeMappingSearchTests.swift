import HeavyliftMapping
import HeavyliftModel
import Testing

/// Which of Xcode's mapping models are for a hop, where no model that they carry says so.
struct XcodeMappingSearchTests {
  private func model(_ number: Int, users: [String] = ["name"]) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "Model\(number)",
      entities: [
        EntityDescription(
          name: "User", attributes: users.map { AttributeDescription(name: $0, type: .string) }),
        EntityDescription(
          name: "Thing", attributes: [AttributeDescription(name: "number\(number)", type: .integer16)]),
      ])
  }

  /// Users are in all versions; what their mapping model says of its models are names of paths.
  private func candidate(_ file: String, _ source: String, _ destination: String) -> MappingCandidate {
    var mapping = MappingModel(
      source: ModelReference(name: source), destination: ModelReference(name: destination),
      entityMappings: [EntityMappingDescription(source: "User", destination: "User")])
    mapping.copying = .listed
    mapping.entityMappings[0].propertyMappings = [.init(.attribute, name: "name")]
    return MappingCandidate(file: file, kind: .xcode, mappingModel: mapping)
  }

  private func files(
    _ candidates: [MappingCandidate], _ source: Int, _ destination: Int, mustNameThem: Bool = false
  ) -> [String] {
    do {
      return try MappingSearch(candidates).mappings(
        from: model(source), to: model(destination), mustNameThem: mustNameThem
      ).map(\.file)
    } catch {
      return error.diagnostics.map(\.code)
    }
  }

  @Test func `one that names the models goes before one that could be meant`() {
    let candidates = [
      candidate("a", "Model2", "Model3"), candidate("b", "Model1", "Model2"), candidate("c", "old", "x"),
    ]
    #expect(files(candidates, 1, 2) == ["b"])
    #expect(files(candidates, 2, 3) == ["a"])
  }

  @Test func `where none does, names that are out of date are none`() {
    #expect(files([candidate("c", "old", "x")], 1, 2) == ["c"])
  }

  @Test func `a name alone is not believed where something is missing`() throws {
    var stale = candidate("a", "Model1", "Model2")
    stale.mappingModel?.entityMappings[0].propertyMappings.append(.init(.attribute, name: "gone"))
    #expect(files([stale, candidate("c", "old", "x")], 1, 2) == ["c"])
  }

  @Test func `past a version leads only one that says so`() {
    let candidates = [candidate("a", "Model2", "Model3"), candidate("b", "Model1", "Model2")]
    #expect(files(candidates, 1, 3) == ["a", "b"])
    #expect(files(candidates, 1, 3, mustNameThem: true) == ["mapping.no-mapping"])
    #expect(files(candidates, 1, 2, mustNameThem: true) == ["b"])
  }
}
