import HeavyliftModel

/// Join tables, named and numbered as in public stores written by Core Data.
///
/// Entities take turns, sorted by name. In its turn, an entity visits all its relationships, including inherited ones.
/// The join table of a many-to-many is named after the end that is visited first, and columns are numbered in the order
/// in which their tables are named.
///
/// The order within one turn does not follow from any known part of the model. It matters if both ends of a
/// relationship are visited in one turn, or if two relationships in one turn want the same column name. In these
/// cases the source store decides; without one, the layout is assumed.
extension LayoutBuilder {
  /// The ends of a many-to-many relationship. Each end has a column, which holds its targets.
  private struct Pair {
    var first: JoinEnd
    var second: JoinEnd
    var isReflexive: Bool { first == second }
    /// The ends in the order in which they get their columns, which is the opposite of the order in which they are
    /// visited.
    var ends: [JoinEnd] { isReflexive ? [first] : [second, first] }
  }

  /// Returns a table for each many-to-many relationship.
  mutating func joinTables() -> [JoinTable] {
    noteMissingDestinations()
    let turns: [[Pair]] = pairsByTurn()
    let columnNumbers = columnNumbers(of: turns)
    var names = UniqueNames(
      reserved: Set(columns.tableNames.values).union(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]))
    var tables: [JoinTable] = []
    for pair in turns.joined() { tables.append(table(of: pair, columnNumbers, &names)) }
    return tables.sorted { left, right in
      let (one, other) = (numbers[left.first.end.entity] ?? 0, numbers[right.first.end.entity] ?? 0)
      return one == other ? left.layout.name.precedesInCodeUnits(right.layout.name) : one < other
    }
  }

  private mutating func noteMissingDestinations() {
    for entity in entities {
      for relationship in entity.relationships where relationship.isToMany && !relationship.isTransient {
        if let destination = relationship.destinationEntityName, numbers[destination] != nil { continue }
        omit(
          "relationship '\(relationship.name)' of entity '\(entity.name)' leads to an entity that is not in the store",
          location: relationship.markup.location)
      }
    }
  }

  // MARK: The walk

  /// Returns, for each entity's turn, the pairs that no earlier turn has visited.
  private mutating func pairsByTurn() -> [[Pair]] {
    var seen: Set<JoinEnd> = []
    var turns: [[Pair]] = []
    for entity in entities.sorted(by: { $0.name.precedesInCodeUnits($1.name) }) {
      let ends = manyToManyEnds(of: entity)
      var turn: [Pair] = []
      for end in ends where seen.insert(end).inserted {
        guard let inverse = inverse(of: end), inverse == end || seen.insert(inverse).inserted else { continue }
        let pair = Pair(first: end, second: inverse)
        turn.append(ends.contains(inverse) && inverse != end ? named(pair) : pair)
      }
      turns.append(turn)
    }
    return turns
  }

  /// Returns an entity's own and inherited many-to-many relationships, sorted by name.
  private func manyToManyEnds(of entity: EntityDescription) -> [JoinEnd] {
    var names: Set<String> = []
    let declared = (lineages[entity.name] ?? [entity]).flatMap { declaring in
      declaring.relationships.filter { names.insert($0.name).inserted }.map { (declaring, $0) }
    }
    return declared.sorted { $0.1.name.precedesInCodeUnits($1.1.name) }.compactMap { declaring, relationship in
      // Only entities of the store have numbers.
      guard relationship.isToMany, !relationship.isTransient, let inverse = inverse(of: relationship),
        inverse.relationship.isToMany, !inverse.relationship.isTransient, numbers[inverse.entity.name] != nil,
        relationship.destinationEntityName.flatMap({ numbers[$0] }) != nil
      else { return nil }
      return JoinEnd(entity: declaring.name, relationship: relationship.name)
    }
  }

  private func relationship(_ end: JoinEnd) -> RelationshipDescription? {
    lineages[end.entity]?.first?.relationship(named: end.relationship)
  }

  private func inverse(of end: JoinEnd) -> JoinEnd? {
    relationship(end).flatMap { inverse(of: $0) }.map {
      JoinEnd(entity: $0.entity.name, relationship: $0.relationship.name)
    }
  }

  /// Orders a pair whose ends are visited in the same turn.
  private mutating func named(_ pair: Pair) -> Pair {
    let turned = Pair(first: pair.second, second: pair.first)
    if choices.naming.contains(pair.first) { return pair }
    if choices.naming.contains(pair.second) { return turned }
    assume(
      "relationship '\(pair.first.relationship)' of entity '\(pair.first.entity)' and its inverse "
        + "'\(pair.second.relationship)' share a join table that could be named after either",
      relationship(pair.first))
    // All known public stores use the end whose name sorts last.
    return pair.second.relationship.precedesInCodeUnits(pair.first.relationship) ? pair : turned
  }

  // MARK: Numbers

  /// The column name for the targets of an end, before a number is appended to make it unique.
  private func baseColumn(of end: JoinEnd) -> String {
    let target = inverse(of: end)?.entity ?? end.entity
    return "Z_\(numbers[target] ?? 0)\(end.relationship.uppercased())"
  }

  /// Column numbers: in the whole model, the first column with a given name gets no number, and the following ones get
  /// 1, 2, 3, ….
  private mutating func columnNumbers(of turns: [[Pair]]) -> [JoinEnd: Int] {
    var numbers: [JoinEnd: Int] = [:]
    var used: [String: Int] = [:]
    for turn in turns {
      var wanted: [(column: String, ends: [JoinEnd])] = []
      for end in turn.flatMap(\.ends) {
        let column = baseColumn(of: end)
        if let place = wanted.firstIndex(where: { $0.column == column }) {
          wanted[place].ends.append(end)
        } else {
          wanted.append((column, [end]))
        }
      }
      for (column, ends) in wanted {
        for end in inOrder(ends, column) {
          numbers[end] = used[column, default: 0]
          used[column, default: 0] += 1
        }
      }
    }
    return numbers
  }

  /// Orders the ends that need the same column name in the same turn.
  private mutating func inOrder(_ ends: [JoinEnd], _ column: String) -> [JoinEnd] {
    guard ends.count > 1 else { return ends }
    let known = ends.compactMap { choices.numbers[$0] }
    if Set(known).count < ends.count {
      let names = ends.map { "'\($0.relationship)' of entity '\($0.entity)'" }.joined(separator: ", ")
      assume("relationships \(names) have columns named \(column), numbered in an unknown order", relationship(ends[0]))
    }
    return ends.enumerated().sorted { left, right in
      let (one, other) = (choices.numbers[left.element] ?? .max, choices.numbers[right.element] ?? .max)
      return (one, left.offset) < (other, right.offset)
    }.map(\.element)
  }

  // MARK: Tables

  private mutating func table(
    of pair: Pair, _ numbers: [JoinEnd: Int], _ names: inout UniqueNames
  ) -> JoinTable {
    let (first, second) = (side(pair.first, numbers), side(pair.second, numbers))
    let wanted = first.tableName
    var join = JoinTable(
      layout: TableLayout(name: names.take(wanted), columns: []), first: first, second: second)
    let description = relationship(pair.first)
    if pair.isReflexive {
      (join.first.column, join.first.baseColumn) = ("REFLEXIVE", "REFLEXIVE")
      join.first.orderColumn = second.orderColumn
      if second.orderColumn != nil {
        assume(
          "relationship '\(pair.first.relationship)' of entity '\(pair.first.entity)' is its own inverse and ordered",
          description)
      }
    }
    if join.layout.name != wanted {
      assume("two join tables would be named \(wanted)", description)
    }
    for side in [first, second] where side.orderColumn != nil && side.number > 0 {
      assume(
        "column \(side.column) of join table \(join.layout.name) has both a number in its name and an order column",
        description)
    }
    let keys = [join.second.column, join.first.column]
    let orders = (pair.isReflexive ? [join.first.orderColumn] : [join.second.orderColumn, join.first.orderColumn])
      .compactMap(\.self)
    join.layout.columns = (keys + orders).map { .init(name: $0, declaredType: "INTEGER") }
    join.layout.primaryKey = keys
    return join
  }

  private func side(_ end: JoinEnd, _ numbers: [JoinEnd: Int]) -> JoinTable.Side {
    let (base, number) = (baseColumn(of: end), numbers[end] ?? 0)
    let column = number == 0 ? base : "\(base)\(number)"
    return JoinTable.Side(
      end: end, column: column, baseColumn: base, number: number,
      orderColumn: relationship(end)?.isOrdered == true ? "Z_FOK_\(column.dropFirst(2))" : nil,
      tableName: "Z_\(self.numbers[end.entity] ?? 0)\(end.relationship.uppercased())")
  }
}
