import HeavyliftModel

/// Attributes must not read each other's new values.
///
/// An attribute is set after those that its expression reads from `$destination`.
struct CircularValues: MappingRule {
  struct Mistake: MappingMistake {
    static let code = "mapping.circular-values"
    var property: PropertyMappingFact
    /// The attributes that follow each other in the circle, starting with the property.
    var circle: [String]
    var location: DiagnosticLocation?
  }

  func mistakes(in mapping: MappingIndex) -> [Mistake] {
    var reads: [Int: [String: Set<String>]] = [:]
    for property in mapping.properties where property.attribute != nil && property.property.isWritable {
      guard let keys = property.complete.valueExpression?.destinationKeys, !keys.isEmpty else { continue }
      // Another rule reports an attribute that reads itself.
      reads[property.owner.number, default: [:]][property.property.name] = keys.subtracting([property.property.name])
    }
    return mapping.properties.compactMap { property in
      guard let reads = reads[property.owner.number],
        let circle = Self.circle(from: property.property.name, in: reads),
        // A circle is reported once, at its first attribute.
        circle.min() == property.property.name
      else { return nil }
      return Mistake(property: property, circle: circle, location: property.location(of: "value"))
    }
  }

  /// Returns the shortest way from an attribute back to itself.
  private static func circle(from start: String, in reads: [String: Set<String>]) -> [String]? {
    var ways = [[start]]
    var seen: Set<String> = []
    while !ways.isEmpty {
      var longer: [[String]] = []
      for way in ways {
        for next in (reads[way[way.count - 1]] ?? []).sorted() {
          if next == start { return way }
          if seen.insert(next).inserted { longer.append(way + [next]) }
        }
      }
      ways = longer
    }
    return nil
  }
}

extension CircularValues.Mistake {
  var severity: Diagnostic.Severity { .error }

  var problem: String {
    "\(property.place) reads the new value of \(circle.dropFirst().map(\.quotedName).joined(separator: ", which reads ")), "
      + "which reads \(circle[0].quotedName)"
  }

  func remedy(_ names: MappingNames) -> String? { "read one of the values from '$source'" }
}
