/** A page of a list, as a search: conditions, and the indexes by which their rows are found. */
import type { Column } from '../columns.ts'

/** Statement text, with `?` for values. */
export interface Sql {
  readonly text: string
  readonly values: readonly Column[]
}

/**
 * Rows that an index returns in order of their keys: those that have one of these values.
 * An index of one value is read from its newest row until the page is full; of several, each is read that far.
 * A search for requests may read an index of attempts: it finds the requests that have such an attempt.
 */
export interface Source {
  readonly table: 'requests' | 'attempts' | 'request_details' | 'request_texts'
  /** Null: the key itself. */
  readonly index: string | null
  /** With the name of its table; or an expression, see `indexed.ts`. */
  readonly column: string
  /** Compares the column and a value. @default = */
  readonly operator?: string
  /** The rows that the index has, if that is not clear from the values: databases compare the texts. */
  readonly where?: string
  readonly type: 'text' | 'integer' | 'bigint'
  readonly values: readonly Column[]
}

/** A condition on the rows of the table that is searched. */
export interface Condition extends Sql {
  /** Together they have all rows for which the condition can hold. None: only a scan finds these rows. */
  readonly sources: readonly Source[]
  /** The sources have no other rows, so these need no check. */
  readonly exact?: boolean
}

/** A range of keys. `{}` in the text stands for the table that has them. */
export interface Range extends Sql {
  /** The range within a table that lacks the other columns of the place: it has all rows of the range, and perhaps others. */
  readonly byKey?: Sql
}

export interface Search {
  readonly table: 'requests' | 'attempts'
  readonly columns: string
  readonly conditions: readonly Condition[]
  readonly ranges: readonly Range[]
  readonly direction: 'DESC' | 'ASC'
  readonly limit: number
}

/** The columns that place a row in its list. */
export const PLACES = {
  requests: ['key'],
  attempts: ['key', 'position'],
} as const satisfies Record<Search['table'], readonly string[]>
