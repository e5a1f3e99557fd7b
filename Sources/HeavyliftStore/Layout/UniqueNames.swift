/// Hands out names that do not clash: the second taker of a name gets it with a 1 behind it, the third with a 2.
struct UniqueNames {
  private var taken: Set<String>

  init(reserved: Set<String>) { taken = reserved }

  mutating func take(_ wanted: String) -> String {
    var name = wanted
    var count = 0
    while !taken.insert(name).inserted {
      count += 1
      name = "\(wanted)\(count)"
    }
    return name
  }
}
