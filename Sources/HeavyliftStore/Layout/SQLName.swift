import HeavyliftExpression

/// Names as written in SQL, the same as in translated expressions.
typealias SQLName = HeavyliftExpression.SQLName
