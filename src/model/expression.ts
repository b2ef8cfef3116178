/** The values that an expression can use, by name. */
export type ExpressionScope = Readonly<Record<string, unknown>>

/** A compiled JMESPath expression. Pure; throws `ExpressionError` when it cannot be evaluated. */
export type Expression = (scope: ExpressionScope) => unknown

/**
 * A value of a card that may hold expressions: a string is an expression, an object or array is
 * walked, numbers, booleans and null stand for themselves.
 */
export type ExpressionTree = (scope: ExpressionScope) => unknown
