/**
 * The facts of rows that have an index of an expression, as SQL that both databases read alike. The indexes in the
 * schemas hold these expressions, so a change of one needs a migration that builds its index again.
 */
import { SOLE } from '../columns.ts'

/** How a request ended. `plain` is 0 unless the request succeeded and so did all its attempts. */
export function outcomeSql(at = ''): string {
  return `(CASE WHEN ${at}plain = ${SOLE} THEN 'sole' WHEN ${at}plain > 0 THEN 'first_try' WHEN ${at}ok = 1 THEN 'later_try' WHEN ${at}attempts > 0 THEN 'failed' ELSE 'refused' END)`
}

/** The route and the status of an attempt, which filters ask for alone and together. */
export function resultSql(at = ''): string {
  return `(${at}route || ' ' || ${at}status)`
}

/** Each class begins with one of these durations, in milliseconds; the first class is below all of them. */
const CLASSES = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000,
]

/**
 * The class of a duration. An index of the durations themselves would return the rows of a filter in another order than
 * the list has; in the index of the classes, each class has its rows in order of time. A class is a text, because SQLite
 * does not look for a number in the index of an expression.
 */
export function durationClassSql(at = ''): string {
  const cases = CLASSES.map((ms, n) => `WHEN ${at}duration_ms < ${ms} THEN '${n}'`)
  return `(CASE ${cases.join(' ')} ELSE '${CLASSES.length}' END)`
}

/** Classes of requests. Those that stand for their only attempt have their own, because the list of attempts needs no others. */
export function requestClassSql(at = ''): string {
  return `(${durationClassSql(at)} || CASE WHEN ${at}plain = ${SOLE} THEN '${OF_SOLE}' ELSE '' END)`
}

export const OF_SOLE = ' sole'

/** The classes of this duration and of all longer ones. */
export function durationClassesFrom(ms: number): string[] {
  const first = CLASSES.filter(from => from <= ms).length
  return Array.from({ length: CLASSES.length + 1 - first }, (_, n) => String(first + n))
}

/** Whether its class has no shorter duration. */
export function beginsClass(ms: number): boolean {
  return CLASSES.includes(ms)
}
