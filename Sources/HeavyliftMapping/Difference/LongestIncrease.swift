/// The longest increasing subsequence.
enum LongestIncrease {
  /// Returns the indexes of the numbers that form a longest increasing subsequence.
  static func places(in numbers: [Int]) -> Set<Int> {
    // For each length, the index of the lowest number that ends a subsequence of that length (patience sorting).
    var ends: [Int] = []
    var before = [Int?](repeating: nil, count: numbers.count)
    for place in numbers.indices {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
      }
      before[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var places: Set<Int> = []
    var next = ends.last
    while let place = next {
      places.insert(place)
      next = before[place]
    }
    return places
  }
}
