/** Renders searches. */
import type { Dialect, PlaceSet } from './dialect.ts'
import { type Condition, PLACES, type Range, type Search, type Source, type Sql } from './search.ts'

/**
 * The statement for a search. With `driver`, it reads the rows of that condition's sources and checks the others;
 * without, it reads all rows in the order of the list.
 */
export function toSql(dialect: Dialect, search: Search, driver?: Condition): Sql {
  const { table, columns, limit } = search
  if (!driver) {
    const { text, values } = whereOf(search, table, search.conditions)
    return {
      text: `SELECT ${columns} FROM ${table}${text} ORDER BY ${orderOf(search, table)} LIMIT ?`,
      values: [...values, limit],
    }
  }
  const parts = driver.sources.flatMap(source => placesIn(dialect, search, driver, source))
  const order = `ORDER BY ${orderOf(search, table)} LIMIT ?`
  return {
    text: `${rowsAt(search, parts)} ${order}`,
    values: [...parts.flatMap(({ values }) => values), limit],
  }
}

/** With `IN` for several lists of places of two columns, SQLite would read all attempts: it has to begin with the places. */
function rowsAt({ table, columns }: Search, parts: readonly Sql[]): string {
  const texts = parts.map(({ text }) => text)
  if (table === 'requests')
    return `SELECT ${columns} FROM requests WHERE key IN (${texts.join(' UNION ALL ')})`
  const names = PLACES.attempts.join(', ')
  const same = PLACES.attempts.map(name => `attempts.${name} = places.${name}`).join(' AND ')
  return `WITH places(${names}) AS (${texts.join(' UNION ')})
    SELECT ${columns} FROM places CROSS JOIN attempts WHERE ${same}`
}

/** Counts the rows of each condition's sources in the searched range, up to a limit. */
export function toCountSql(
  dialect: Dialect,
  { ranges }: Search,
  conditions: readonly Condition[],
  limit: number,
): Sql {
  const counts = conditions.map(({ sources }) => {
    const parts = sources.flatMap(source => countedIn(dialect, source, ranges))
    return {
      text: `(SELECT count(*) FROM (${parts.map(({ text }) => text).join(' UNION ALL ')} LIMIT ${limit}) AS counted)`,
      values: parts.flatMap(({ values }) => values),
    }
  })
  return {
    text: `SELECT ${counts.map(({ text }, at) => `${text} AS n${at}`).join(', ')}`,
    values: counts.flatMap(({ values }) => values),
  }
}

function countedIn(dialect: Dialect, source: Source, ranges: readonly Range[]): Sql[] {
  const { text, values } = conjunction(source.table, rangesAt(source.table, ranges))
  const table = `${source.table} ${dialect.indexed(source.index)}`
  if (isPlannedByValue(dialect, source)) {
    return source.values.map(value => ({
      text: `SELECT 1 FROM ${table} WHERE ${matches(source, '?')} AND ${text}`,
      values: [value, ...values],
    }))
  }
  return [
    {
      text: `SELECT 1 FROM ${dialect.list} JOIN ${table} ON ${matches(source, listed(source))} WHERE ${text}`,
      values: [JSON.stringify(source.values), ...values],
    },
  ]
}

/** The full-text index has an order of its own, which a list of values would spoil. */
function isPlannedByValue({ plansByValue }: Dialect, { table, values }: Source): boolean {
  const few = plansByValue && values.length > 0 && values.length <= MOST_PLANNED
  return few || table === 'request_texts'
}

/**
 * The statement for a search whose conditions have indexes of their own. The database reads all of them at once, in the
 * order of the list, and keeps the places that all have: that takes a tenth of the time of a look at each row.
 */
export function toMergedSql(dialect: Dialect, search: Search): Sql {
  const { table, columns, conditions, limit } = search
  const order = PLACES[table].map(column => `${column} ${search.direction}`).join(', ')
  const place = PLACES[table].join(', ')
  const sets = conditions.map(({ sources }) => setOf(dialect, search, sources))
  const places = dialect.intersect(sets, place)
  return {
    text: `SELECT ${columns} FROM ${table}
      WHERE (${place}) IN (SELECT * FROM (${places} ORDER BY ${order} LIMIT ?) AS places)
      ORDER BY ${orderOf(search, table)}`,
    values: [...sets.flatMap(({ values }) => values), limit],
  }
}

/** The places of a condition's rows, in the order of the list. Requests have only a part of the place of an attempt. */
function setOf(dialect: Dialect, search: Search, sources: readonly Source[]): PlaceSet & Sql {
  const isOwn = sources.every(({ table }) => table === search.table)
  const columns = isOwn ? PLACES[search.table] : PLACES.requests
  const place = columns.join(', ')
  const order = columns.map(column => `${column} ${search.direction}`).join(', ')
  const parts = sources.flatMap(source => rangesOf(dialect, search, { ...source, place }))
  const set = `(${parts.map(part => dialect.ordered(part.text, order)).join(' UNION ALL ')}) AS found`
  // A request may have several such attempts.
  const text =
    search.table === 'requests' && !isOwn
      ? dialect.distinctKeys(set, order)
      : `SELECT ${place} FROM ${set} ORDER BY ${order}`
  return { place, text: `(${text})`, values: parts.flatMap(({ values }) => values) }
}

/** The ranges of an index that a source stands for, one for each value. */
function rangesOf(
  dialect: Dialect,
  search: Search,
  { table, place, ...source }: Source & Pick<PlaceSet, 'place'>,
): Sql[] {
  const { text, values } = conjunction(table, rangesAt(table, search.ranges))
  const matching = matches({ table, ...source }, dialect.value)
  return source.values.map(value => ({
    text: `SELECT ${place} FROM ${table} ${dialect.indexed(source.index)} WHERE ${matching} AND ${text}`,
    values: [value, ...values],
  }))
}

/** The places of a source's rows for which everything else holds too: for each value as many as a page has. */
function placesIn(dialect: Dialect, search: Search, driver: Condition, source: Source): Sql[] {
  const { values } = source
  if (isPlannedByValue(dialect, source)) {
    return values.map(value => {
      const found = rowsOf(dialect, search, driver, { source, value: '?' })
      return { text: `SELECT * FROM (${found.text}) AS part`, values: [value, ...found.values] }
    })
  }
  const found = rowsOf(dialect, search, driver, { source, value: listed(source) })
  const text = dialect.forEach(search.table, found.text)
  return [{ text, values: [JSON.stringify(values), ...found.values] }]
}

/** Each plan takes a part of a millisecond. */
const MOST_PLANNED = 20

/** @param chosen a source with the SQL of one of its values */
function rowsOf(
  dialect: Dialect,
  search: Search,
  driver: Condition,
  { source, value }: { readonly source: Source; readonly value: string },
): Sql {
  const { table, conditions, limit } = search
  const others = driver.exact ? conditions.filter(condition => condition !== driver) : conditions
  const at = source.table
  const { text, values } = conjunction(at, [
    ...rangesAt(at, search.ranges),
    ...(at === table ? [] : wholeRanges(search)),
    ...others,
  ])
  // A request may have several such attempts. An attempt has one request: for DISTINCT a database might read all rows before the first.
  const distinct = at === 'attempts' && table === 'requests' ? 'DISTINCT' : ''
  const join = at === table ? '' : `CROSS JOIN ${table}`
  const joined = at === table ? '' : `AND ${table}.key = ${at}.key`
  const place = PLACES[table].map(column => columnAt(search, at, column)).join(', ')
  return {
    text: `SELECT ${distinct} ${place} FROM ${at} ${dialect.indexed(source.index)} ${join}
        WHERE ${matches(source, value)} ${joined} AND ${text}
        ORDER BY ${orderOf(search, at)} LIMIT ?`,
    values: [...values, limit],
  }
}

function matches({ column, operator = '=', where = '' }: Source, value: string): string {
  return `${column} ${operator} ${value}${where && ` AND ${where}`}`
}

/** A value from the list of a source's values. */
function listed({ type }: Source): string {
  return type === 'text' ? 'list.value' : `CAST(list.value AS ${type})`
}

function orderOf(search: Search, at: string): string {
  const { table, direction } = search
  return PLACES[table].map(column => `${columnAt(search, at, column)} ${direction}`).join(', ')
}

/** A column of the place: every table has the key, but only attempts have a position. */
function columnAt({ table }: Search, at: string, column: string): string {
  return `${column === 'key' ? at : table}.${column}`
}

function rangesAt(at: string, ranges: readonly Range[]): readonly Sql[] {
  return at === 'attempts' ? ranges : ranges.map(range => range.byKey ?? range)
}

/** The ranges that a source of another table has only in part. */
function wholeRanges({ table, ranges }: Search): readonly Sql[] {
  return ranges
    .filter(({ byKey }) => byKey !== undefined)
    .map(({ text, values }) => ({ text: text.replaceAll('{}', table), values }))
}

function whereOf({ ranges }: Search, table: string, conditions: readonly Sql[]): Sql {
  const { text, values } = conjunction(table, [...ranges, ...conditions])
  return { text: text === 'true' ? '' : ` WHERE ${text}`, values }
}

function conjunction(table: string, parts: readonly Sql[]): Sql {
  if (parts.length === 0) return { text: 'true', values: [] }
  return {
    text: parts.map(({ text }) => text.replaceAll('{}', table)).join(' AND '),
    values: parts.flatMap(({ values }) => values),
  }
}
