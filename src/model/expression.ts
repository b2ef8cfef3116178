/** A compiled JMESPath expression. Pure; throws `ExpressionError` when it cannot be evaluated. */
export type Expression = (scope: Readonly<Record<string, unknown>>) => unknown

/**
 * A value of a card that may hold expressions: a string is an expression, an object or array is
 * walked, numbers, booleans and null stand for themselves.
 */
export type ExpressionTree = (scope: Readonly<Record<string, unknown>>) => unknown
