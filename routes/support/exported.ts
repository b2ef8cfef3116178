/** The export of a list: all its rows, as JSON lines or CSV, read and sent page by page. */
import { Readable } from 'node:stream'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import type { JournalFilter, PageRequest } from '../../src/journal/journal.ts'
import type { Page } from '../../src/journal/row-schemas.ts'
import { csvLine } from '../../src/lib/csv-line.ts'
import { showUnseen } from '../../src/lib/show-unseen.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { ExportBody } from './schemas.ts'

const FORMATS = ['jsonl', 'csv'] as const

export const exportMembers = {
  format: Type.Optional(
    OneOf(FORMATS, 'JSON lines, by default, or CSV with a line of names, for a spreadsheet.'),
  ),
}
type Format = (typeof FORMATS)[number]

/** The members of a row, as columns of CSV. */
export function columnsOf<Row extends TObject>({
  properties,
}: Row): readonly (keyof Static<Row> & string)[] {
  return Object.keys(properties) as (keyof Static<Row> & string)[]
}

export const exportResponse = { 200: ExportBody('A row on each line, the newest first.') }

const TYPES = {
  jsonl: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
} as const satisfies Record<Format, string>

/** Rows of a page. The gateway holds two pages at once, however long the list is. */
const PAGE = 500

interface Exported<Row> {
  readonly list: (filter: JournalFilter, page: PageRequest) => Promise<Page<Row>>
  /** Null: the reader may see no row. */
  readonly filter: JournalFilter | null
  readonly format: Format | undefined
  readonly columns: readonly (keyof Row & string)[]
}

export async function sendExport<Row>(
  reply: FastifyReply,
  exported: Exported<Row>,
): Promise<FastifyReply> {
  const { list, filter, format = 'jsonl', columns } = exported
  const pages = filter === null ? noPages<Row>() : pagesOf(list, filter)
  // A database that is away should be an envelope, and not an empty file.
  const first = await pages.next()
  const toText =
    format === 'csv'
      ? (row: Row) => csvLine(columns.map(column => toCell(row[column])))
      : (row: Row) => `${showUnseen(JSON.stringify(row))}\n`
  const head = format === 'csv' ? csvLine(columns) : ''
  reply.type(TYPES[format])
  return reply.send(Readable.from(toTexts(head, first, pages, toText), { highWaterMark: 1 }))
}

async function* toTexts<Row>(
  head: string,
  first: IteratorResult<readonly Row[]>,
  rest: AsyncGenerator<readonly Row[]>,
  toText: (row: Row) => string,
): AsyncGenerator<string> {
  if (head !== '') yield head
  if (first.done) return
  yield first.value.map(toText).join('')
  for await (const rows of rest) yield rows.map(toText).join('')
}

/** Rows that arrive meanwhile shift nothing: the cursor is the last row that was sent. */
async function* pagesOf<Row>(
  list: Exported<Row>['list'],
  filter: JournalFilter,
): AsyncGenerator<readonly Row[]> {
  let after: string | null = null
  do {
    const cursor: Pick<PageRequest, 'after'> = after === null ? {} : { after }
    const { items, pageInfo } = await list(filter, { limit: PAGE, ...cursor })
    if (items.length > 0) yield items
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null
  } while (after !== null)
}

async function* noPages<Row>(): AsyncGenerator<readonly Row[]> {}

function toCell(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return showUnseen(typeof value === 'string' ? value : JSON.stringify(value))
}
