import Foundation
public import Heavylift

/// Archives a plane point again, as a point in space.
public final class SpacePointPolicy: EntityMigrationPolicy {
  public override var functions: [String: PolicyFunction] {
    [
      "spacePointFromPlanePoint:": PolicyFunction { (data: Data?) -> Data? in
        guard let data, case .object(let point) = try KeyedArchive(data: data, subject: "a point").root,
          let x = point["x"]?.value?.double, let y = point["y"]?.value?.double
        else { return nil }
        return try NSKeyedArchiver.archivedData(withRootObject: SpacePoint([x, y, 0]), requiringSecureCoding: false)
      }
    ]
  }
}
