import type { DetailColumns } from '../columns.ts'
import { OWN_PREFIX } from '../find/dialect.ts'
import { wordsOfRequest } from '../find/words.ts'
import type { Queries } from './connection.ts'

/** The words of requests, see find/words.ts. Those that every reader sees are there again with a prefix. */
const TEXTS = `
  CREATE TABLE request_texts (
    key   bigint PRIMARY KEY,
    words tsvector NOT NULL
  );
  CREATE INDEX request_texts_by_words ON request_texts USING gin (words) WITH (fastupdate = on);
  CREATE INDEX details_by_trace ON request_details ((meta::json ->> 'trace_id'), key)
    WHERE meta::json ->> 'trace_id' IS NOT NULL;
`

type Texts = Pick<DetailColumns, 'error' | 'input' | 'data'>

export function toTexts(key: number, details: Texts): readonly { key: number; words: string }[] {
  const words = wordsOfRequest(details)
  if (words === null) return []
  const own = words.own.map(word => OWN_PREFIX + word)
  return [{ key, words: [...own, ...words.own, ...words.answer].join(' ') }]
}

const PAGE = 1000

/** Creates the index, with the words of the requests that are there. */
export async function indexTexts(tx: Queries): Promise<void> {
  await tx.run(TEXTS)
  for (let after = -1; ; ) {
    const rows = await tx.query<Texts & { key: number }>(
      `SELECT key, error, input, data FROM request_details
       WHERE key > $1 AND (error IS NOT NULL OR input IS NOT NULL OR data IS NOT NULL) ORDER BY key LIMIT ${PAGE}`,
      [after],
    )
    const texts = rows.flatMap(({ key, ...details }) => toTexts(key, details))
    await tx.query(
      'INSERT INTO request_texts SELECT * FROM json_populate_recordset(null::request_texts, $1::text::json)',
      [JSON.stringify(texts)],
    )
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.key
  }
}
