import type * as csvParse from 'csv-parse/sync'
import { later } from './later.ts'

const library = later<typeof csvParse>('csv-parse/sync')

export interface CsvForm {
  /** @default , */
  readonly delimiter?: string
  /** The names of the columns, for a table without a row of them. */
  readonly columns?: readonly string[]
}

/** A text is no table: a quote does not end, or a row has more or fewer values than there are columns. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault'
}

/**
 * Reads a table as a list of objects. All values are texts, since CSV has no other type.
 * @throws {CsvFault} if the text is no table
 */
export function parseCsv(text: string, { delimiter = ',', columns }: CsvForm): object[] {
  const rows = readRows(text, delimiter)
  const names = distinct(columns ?? rows.shift() ?? [])
  const odd = rows.findIndex(row => row.length !== names.length)
  if (odd !== -1) {
    throw new CsvFault(`row ${odd + 1} has ${rows[odd]?.length} values for ${names.length} columns`)
  }
  return rows.map(row => Object.fromEntries(names.map((name, index) => [name, row[index]])))
}

function readRows(text: string, delimiter: string): string[][] {
  const { parse, CsvError } = library()
  try {
    return parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      relax_column_count: true,
    })
  } catch (error) {
    if (error instanceof CsvError) throw new CsvFault(error.message, { cause: error })
    throw error
  }
}

/** Columns without a name, or with that of an earlier one, get a number, so that no value is lost. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.map((name, index) => {
    const free = name !== '' && !seen.has(name) ? name : `${name || 'column'}_${index + 1}`
    seen.add(free)
    return free
  })
}
