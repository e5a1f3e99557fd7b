/// The reason a hop cannot be composed with its neighbors.
struct HopCut: Error {
  var reason: String
}
