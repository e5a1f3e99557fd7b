/// The minimum count must not exceed the maximum, and neither may be negative.
struct RelationshipCounts: ModelRule {
  struct Mistake: ModelMistake {
    static let code = "model.relationship-counts"

    enum Flaw: Hashable {
      case negative(String, Int)
      case tooBig(String, Int)
      case minimumAboveMaximum(Int, Int)
    }

    var place: PropertyPlace
    var flaw: Flaw
    var location: DiagnosticLocation?
  }

  func mistakes(in model: ModelIndex) -> [Mistake] {
    model.relationships.flatMap { fact -> [Mistake] in
      let relationship = fact.relationship
      let counts = [("minCount", relationship.minCount), ("maxCount", relationship.maxCount)]
      var flaws: [(String, Mistake.Flaw)] = counts.compactMap { name, count in
        // Programs that build their model in code often use -1 for no limit; Core Data accepts and keeps it.
        if name == "maxCount", count == -1 { return nil }
        if count < 0 { return (name, .negative(name, count)) }
        // Counts have 32 bits, at least in the version hash.
        return count > Int(Int32.max) ? (name, .tooBig(name, count)) : nil
      }
      if flaws.isEmpty, relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
        flaws.append(("minCount", .minimumAboveMaximum(relationship.minCount, relationship.maxCount)))
      }
      return flaws.map { name, flaw in
        Mistake(place: fact.place, flaw: flaw, location: relationship.markup.location(of: name))
      }
    }
  }
}

extension RelationshipCounts.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    switch flaw {
    case .negative(let name, let count): "\(place) has a \(name) of \(count)"
    case .tooBig(let name, let count): "\(place) has a \(name) of \(count), which does not fit in 32 bits"
    case .minimumAboveMaximum(let least, let most):
      "\(place) must have at least \(least) and at most \(most) objects, which is impossible"
    }
  }

  func remedy(_ names: NameSuggestions) -> String? {
    switch flaw {
    case .negative, .tooBig: "write a count of 0 or more; a maxCount of 0 means no limit"
    case .minimumAboveMaximum: "lower minCount or raise maxCount; a maxCount of 0 means no limit"
    }
  }
}
