import { type Tally, treatTexts } from '../answer/treat-texts.ts'
import type { Catalog } from '../cards/catalog.ts'
import type { RequestDetail } from '../journal/row-schemas.ts'
import { isObject } from '../lib/is-object.ts'
import type { Caller } from '../model/caller.ts'
import type { Card } from '../model/card.ts'
import type { TextMark, TextNode } from '../model/texts.ts'
import type { Warning } from '../model/warnings.ts'
import { NO_WRITERS } from '../state/writers.ts'
import { ownTexts, warningsOf } from './strangers.ts'

/** A request of the journal, as its reader may see the texts in it. */
export interface ReadRequest {
  readonly detail: RequestDetail
  /** Where the record has text of strangers. */
  readonly untrusted: readonly string[]
  readonly warnings: readonly Warning[]
}

/**
 * Treats the words of strangers in the answer that the journal keeps, as the key of the reader says: the record shows what its
 * caller got, and the reader may have another key. Nobody asks who may write to the repository, so `hide` counts all authors as
 * strangers.
 */
export function treatKept(catalog: Catalog, reader: Caller, detail: RequestDetail): ReadRequest {
  const { strangers = 'mark' } = reader
  const card = catalog.get(detail.capability_id ?? '')
  const root = detail.data === null ? null : nodeOf(card, detail)
  const isUnstated = strangers === 'mark' && card?.texts.isStated === false
  if (root === null || strangers === 'show' || isUnstated) {
    return { detail, untrusted: [], warnings: [] }
  }
  const { data, marked, removed, left, comments, hidden } = treatTexts(detail.data, root, {
    strangers,
    mayWrite: () => false,
    isOwn: detail.effect === 'read' ? () => false : ownTexts(detail.input),
    input: detail.input,
  })
  const tallies = {
    removed: inRecord(removed),
    left: inRecord(left),
    comments: inRecord(comments),
    hidden: inRecord(hidden),
  }
  return {
    detail: { ...detail, data },
    untrusted: [...marked].map(pathInRecord),
    warnings: warningsOf(tallies, NO_WRITERS, GONE),
  }
}

const GONE = 'texts of the record were left out, whoever wrote them'

const ANYBODY: TextMark = {
  path: '',
  author: { kind: 'anyone' },
  when: null,
  exact: false,
  isStated: true,
  allowsNull: false,
}
const NOTHING = { mark: null, isOpen: false, members: new Map(), others: null, items: null }

/** Texts of anybody, wherever they are. */
const ANYTHING: TextNode = { ...NOTHING, mark: ANYBODY, isOpen: true }

/** The beginning of an answer that was too long for the journal. */
const HEAD: TextNode = {
  ...NOTHING,
  members: new Map([['head', { ...NOTHING, mark: { ...ANYBODY, path: 'head' } }]]),
}

/** The texts of the answer; null when all are the service's own. */
function nodeOf(card: Card | undefined, { data, input }: RequestDetail): TextNode | null {
  if (card?.texts.root === null) return null
  if (isCut(data)) return HEAD
  // Without the whole input, nobody knows whether an author that depends on it holds.
  return card === undefined || isCut(input) ? ANYTHING : card.texts.root
}

/** The marker in place of a payload that was too long. */
function isCut(payload: unknown): boolean {
  return isObject(payload) && payload.truncated === true && typeof payload.head === 'string'
}

function inRecord({ count, paths }: Tally): Tally {
  return { count, paths: new Set([...paths].map(pathInRecord)) }
}

function pathInRecord(path: string): string {
  if (path === '') return 'data'
  return path.startsWith('[]') ? `data${path}` : `data.${path}`
}
