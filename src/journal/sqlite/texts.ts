import type { DatabaseSync } from 'node:sqlite'
import type { DetailColumns } from '../columns.ts'
import { wordsOfRequest } from '../find/words.ts'

/**
 * The full-text index. It holds no texts, only in which requests each word is. The tokenizer splits no word that
 * `wordsOf` returns. The view gives the index the column names of other sources.
 */
const TEXTS = `
  CREATE VIRTUAL TABLE request_words USING fts5(
    own, answer, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
  );
  CREATE VIEW request_texts AS SELECT rowid AS key, request_words AS words FROM request_words;
  CREATE INDEX details_by_trace ON request_details (meta ->> '$.trace_id') WHERE meta ->> '$.trace_id' IS NOT NULL;
`

type Texts = Pick<DetailColumns, 'error' | 'input' | 'data'>

/** Adds words to the index, in the order of their keys: another order would write a part of the index for each request. */
export function prepareTexts(db: DatabaseSync) {
  const insert = db.prepare('INSERT INTO request_words (rowid, own, answer) VALUES (?, ?, ?)')
  return (added: readonly (readonly [key: number, details: Texts])[]): void => {
    for (const [key, details] of added.toSorted(([one], [other]) => one - other)) {
      const words = wordsOfRequest(details)
      if (words) insert.run(key, words.own.join(' '), words.answer.join(' '))
    }
  }
}

/** Creates the index, with the words of the requests that are there. */
export function indexTexts(db: DatabaseSync): void {
  db.exec(TEXTS)
  const add = prepareTexts(db)
  const select = db.prepare(`
    SELECT key, error, input, data FROM request_details
    WHERE error IS NOT NULL OR input IS NOT NULL OR data IS NOT NULL ORDER BY key`)
  for (const row of select.iterate()) {
    const { key, ...details } = row as unknown as Texts & { readonly key: number }
    add([[key, details]])
  }
}
