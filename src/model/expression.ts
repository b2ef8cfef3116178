/** The values that an expression can use, by name. */
export type ExpressionScope = Readonly<Record<string, unknown>>

/** A compiled JMESPath expression. Pure; throws `ExpressionError` when it cannot be evaluated. */
export type Expression = (scope: ExpressionScope) => unknown

/**
 * A compiled value of a card that may hold expressions: strings are expressions, objects and arrays are walked,
 * numbers, booleans and null stand for themselves.
 */
export type ExpressionTree = (scope: ExpressionScope) => unknown
