import Heavylift

/// A random history of a model, and the SQL statements that a program would run by hand for each of its versions.
struct History {
  private(set) var versions: [ManagedObjectModel]
  /// The statements that lead from each version to the next one.
  private(set) var statements: [[String]] = []
  private var random: RandomSource
  private var names = 0

  init(seed: UInt64, versions count: Int, entities: Int) {
    random = RandomSource(state: seed)
    let first = ManagedObjectModel(
      name: "1",
      entities: (0..<entities).map { number in
        EntityDescription(
          name: "Entity\(number)",
          attributes: [
            AttributeDescription(name: "name", type: .string), AttributeDescription(name: "count", type: .integer32),
            AttributeDescription(name: "rating", type: .double), AttributeDescription(name: "changed", type: .date),
            AttributeDescription(name: "isKept", type: .boolean),
            AttributeDescription(name: "note", type: .string),
          ],
          relationships: [
            RelationshipDescription(
              name: "owner", destinationEntityName: "Entity\((number + 1) % entities)", inverseName: "members",
              inverseEntityName: "Entity\((number + 1) % entities)", maxCount: 1),
            RelationshipDescription(
              name: "members", destinationEntityName: "Entity\((number + entities - 1) % entities)",
              inverseName: "owner", inverseEntityName: "Entity\((number + entities - 1) % entities)"),
          ])
      })
    versions = [first]
    while versions.count < count { addVersion() }
  }

  private mutating func addVersion() {
    guard var model = versions.last else { return }
    model.name = "\(versions.count + 1)"
    // Identifiers of earlier renamings are gone, as in many histories.
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[attribute].renamingIdentifier = nil
      }
    }
    var sql: [String] = []
    for _ in 0..<random.number(below: 3) + 1 { change(&model, &sql) }
    versions.append(model)
    statements.append(sql)
  }

  private mutating func change(_ model: inout ManagedObjectModel, _ sql: inout [String]) {
    names += 1
    let entity = random.number(below: model.entities.count)
    let table = "Z\(model.entities[entity].name.uppercased())"
    switch random.number(below: 10) {
    case 0..<5:
      model.entities[entity].attributes.append(AttributeDescription(name: "added\(names)", type: .string))
      sql.append("ALTER TABLE \(table) ADD COLUMN ZADDED\(names) VARCHAR")
    case 5..<7:
      model.entities[entity].attributes.append(
        AttributeDescription(name: "filled\(names)", type: .integer32, isOptional: false, defaultValue: .integer(7)))
      sql.append("ALTER TABLE \(table) ADD COLUMN ZFILLED\(names) INTEGER")
      sql.append("UPDATE \(table) SET ZFILLED\(names) = 7")
    case 7:
      model.entities.append(
        EntityDescription(
          name: "New\(names)", attributes: [AttributeDescription(name: "path", type: .string)]))
      sql.append("CREATE TABLE ZNEW\(names) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPATH VARCHAR)")
    case 8:
      let place = random.number(below: model.entities[entity].attributes.count)
      var renamed = model.entities[entity].attributes[place]
      guard renamed.renamingIdentifier == nil else { return }
      sql.append(
        "ALTER TABLE \(table) RENAME COLUMN Z\(renamed.name.uppercased()) TO ZRENAMED\(names)")
      (renamed.renamingIdentifier, renamed.name) = (renamed.name, "renamed\(names)")
      model.entities[entity].attributes[place] = renamed
    default:
      guard model.entities[entity].attributes.count > 3 else { return }
      let place = random.number(below: model.entities[entity].attributes.count)
      let removed = model.entities[entity].attributes.remove(at: place)
      sql.append("ALTER TABLE \(table) DROP COLUMN Z\(removed.name.uppercased())")
    }
  }
}

/// A linear congruential generator: the same seed gives the same history everywhere.
private struct RandomSource {
  var state: UInt64

  mutating func number(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }
}
