@_exported import HeavyliftArchive
@_exported import HeavyliftExpression
@_exported import HeavyliftMapping
@_exported import HeavyliftModel
@_exported import HeavyliftReports
@_exported import HeavyliftSQLite
@_exported import HeavyliftStore
@_exported import HeavyliftXML
