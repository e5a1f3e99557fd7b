import HeavyliftMapping
import HeavyliftModel
import Testing

/// The hop that Xcode's mapping models are for, by their embedded models or else by the recorded names.
struct XcodeMappingSearchTests {
  private static func model(_ number: Int, name: String? = nil, users: [String] = ["name"]) -> ManagedObjectModel {
    ManagedObjectModel(
      name: name ?? "Model\(number)",
      entities: [
        EntityDescription(
          name: "User", attributes: users.map { AttributeDescription(name: $0, type: .string) }),
        EntityDescription(
          name: "Thing", attributes: [AttributeDescription(name: "number\(number)", type: .integer16)]),
      ])
  }

  private static let versions = (1...4).map { model($0) }

  /// Users exist in all versions. The mapping model has the names in its models' paths, and optionally the models
  /// themselves.
  private func candidate(
    _ file: String, _ source: String?, _ destination: String?,
    carrying carried: (source: ManagedObjectModel, destination: ManagedObjectModel)? = nil
  ) -> MappingCandidate {
    var mapping = MappingModel(
      source: ModelReference(name: source), destination: ModelReference(name: destination),
      entityMappings: [EntityMappingDescription(source: "User", destination: "User")])
    mapping.copying = .listed
    mapping.entityMappings[0].propertyMappings = [.init(.attribute, name: "name")]
    var models: [MappingSide: ManagedObjectModel] = [:]
    if let carried { models = [.source: carried.source, .destination: carried.destination] }
    return MappingCandidate(file: file, kind: .xcode, mappingModel: mapping, carriedModels: models)
  }

  private func files(
    _ candidates: [MappingCandidate], _ source: Int, _ destination: Int, mustNameThem: Bool = false,
    knowing versions: [ManagedObjectModel] = []
  ) -> [String] {
    do {
      return try MappingSearch(candidates).knowing(versions).mappings(
        from: Self.model(source), to: Self.model(destination), mustNameThem: mustNameThem
      ).map(\.file)
    } catch {
      return error.diagnostics.map(\.code)
    }
  }

  /// Returns the files found for each pair of neighbors.
  private func hops(_ candidates: [MappingCandidate]) -> [[String]] {
    (1...3).map { files(candidates, $0, $0 + 1, knowing: Self.versions) }
  }

  @Test func `a mapping that names the models takes precedence over one that merely fits`() {
    let candidates = [
      candidate("a", "Model2", "Model3"), candidate("b", "Model1", "Model2"), candidate("c", "old", "x"),
    ]
    #expect(files(candidates, 1, 2) == ["b"])
    #expect(files(candidates, 2, 3) == ["a"])
  }

  @Test func `outdated names are ignored if no mapping names the models`() {
    #expect(files([candidate("c", "old", "x")], 1, 2) == ["c"])
  }

  @Test func `a mapping for other versions is never used`() {
    let none = ["mapping.no-mapping"]
    #expect(hops([candidate("a", "Model2", "Model3")]) == [none, ["a"], none])
    // A model is stronger evidence than a name, which may be that of a deleted folder.
    let carried = (source: Self.model(2), destination: Self.model(3))
    #expect(hops([candidate("a", "Model", "Model 2", carrying: carried)]) == [none, ["a"], none])
    #expect(hops([candidate("a", "Model1", "Model2", carrying: carried)]) == [none, ["a"], none])
  }

  @Test func `a mapping is found by its models' names after they were edited`() {
    let none = ["mapping.no-mapping"]
    let edited = (
      source: Self.model(2, users: ["name", "age"]), destination: Self.model(3, users: ["name", "mail"])
    )
    #expect(hops([candidate("a", "Model2", "Model3", carrying: edited)]) == [none, ["a"], none])
  }

  @Test func `a mapping is found by similarity after its models were edited and renamed`() {
    let none = ["mapping.no-mapping"]
    let edited = (
      source: Self.model(2, users: ["name", "age"]), destination: Self.model(3, users: ["name", "mail"])
    )
    #expect(hops([candidate("a", "Old", "New", carrying: edited)]) == [none, ["a"], none])
  }

  @Test func `a mapping made right after its version was duplicated is found by its names`() {
    let none = ["mapping.no-mapping"]
    let twice = (source: Self.model(2), destination: Self.model(2))
    #expect(hops([candidate("a", "Model2", "Model3", carrying: twice)]) == [none, ["a"], none])
  }

  @Test func `a mapping that names the models and does not fit them is not replaced by another`() throws {
    var stale = candidate("a", "Model1", "Model2")
    stale.mappingModel?.entityMappings[0].propertyMappings.append(.init(.attribute, name: "gone"))
    #expect(files([stale, candidate("c", "old", "x")], 1, 2) == ["mapping.outdated-mapping"])
    #expect(
      throws: DiagnosticList([
        Diagnostic(
          .error, code: "mapping.outdated-mapping",
          problem: "no mapping in the given files leads from model 'Model1' to model 'Model2':\n"
            + "  - 'a': entity 'User' has no property 'gone'",
          remedy: "update 'a' for these models with 'heavylift rebase', or remove it")
      ])
    ) { try MappingSearch([stale]).mapping(from: Self.model(1), to: Self.model(2)) }
  }

  @Test func `only a mapping that names its versions skips one`() {
    let candidates = [candidate("a", "Model2", "Model3"), candidate("b", "Model1", "Model2")]
    #expect(files(candidates, 1, 3, knowing: Self.versions) == ["mapping.no-mapping"])
    #expect(files([candidate("c", nil, nil)], 1, 3) == ["c"])
    #expect(files([candidate("c", nil, nil)], 1, 3, mustNameThem: true) == ["mapping.no-mapping"])
    #expect(files(candidates, 1, 2, mustNameThem: true) == ["b"])
  }

  @Test func `a mapping that names a model that never existed is found by the hashes of the entities that it maps`()
    throws
  {
    let versions = [
      Self.model(1), Self.model(2, users: ["name", "age"]), Self.model(3, users: ["name", "mail"]),
      Self.model(4, users: ["name", "phone"]),
    ]
    // An entity that the mapping does not map has been edited since.
    let carried = (source: Self.model(1), destination: Self.model(9, users: ["name", "mail"]))
    let search = MappingSearch([candidate("a", "Model1", "Model9", carrying: carried)]).knowing(versions)
    let found = try search.mappings(from: versions[0], to: versions[2], mustNameThem: true)
    #expect(found.map(\.file) == ["a"])
    // The name would contradict the model for which the file was found.
    #expect(found[0].mappingModel?.source.name == "Model1")
    #expect(found[0].mappingModel?.destination.name == nil)
    #expect(found[0].mappingModel?.mismatches(source: versions[0], destination: versions[2]) == [])
    for other in [1, 3] {
      let error = #expect(throws: DiagnosticList.self) { try search.mapping(from: versions[0], to: versions[other]) }
      let reason = "the entities of its destination model are those of version 'Model3'"
      #expect(error?.diagnostics.first?.problem.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
    }
  }
}
