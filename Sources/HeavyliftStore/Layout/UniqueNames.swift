/// Assigns names that do not clash: 1 is appended to the second use of a name, 2 to the third.
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
