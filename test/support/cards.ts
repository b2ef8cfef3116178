import { compileExpression } from '../../src/expressions/expression.ts'
import { createHints } from '../../src/hints/registry.ts'
import type { Card, Upstream } from '../../src/model/card.ts'
import { NEEDS_NOTHING } from '../../src/model/credential.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { NO_SUBJECT, type PageStart } from '../../src/model/subject.ts'
import type { Warning } from '../../src/model/warnings.ts'
import type { Knowledge } from '../../src/render/render.ts'
import { noCredentials } from './credentials.ts'

const upstream: Upstream = {
  id: 'shop',
  description: null,
  baseUrl: 'https://shop.test',
  place: [],
  workspaceOf: () => 'front/store',
  accountOf: () => null,
  schemes: {},
  credentials: noCredentials(),
  needs: NEEDS_NOTHING,
  pools: [],
  linksNext: false,
  examples: {},
  keeps: [],
  texts: null,
}

/** A card whose output may be anything, unless it says otherwise; for rendering, not for calling. */
export function fakeCard(parts: Partial<Card> = {}): Card {
  return {
    id: 'thing.list',
    version: '1.2.3',
    description: 'List things.',
    effect: 'read',
    deprecated: null,
    destructive: false,
    timeoutMs: null,
    scope: null,
    touches: null,
    digest: () => 'digest',
    texts: { root: null, isStated: true, unstated: [], hasAuthors: false },
    upstream,
    file: 'thing.list.yaml',
    input: { type: 'object' },
    output: { type: 'object' },
    routes: [],
    verify: null,
    state: null,
    lacks: null,
    quotas: null,
    page: null,
    notOffered: {},
    list: null,
    next: [],
    summary: null,
    upstreamNames: new Map(),
    parseInput: input => input as Readonly<Record<string, unknown>>,
    checkOutput: () => [],
    ...parts,
  }
}

export function ranked(path: string, rank: string): Pick<Card, 'list'> {
  return { list: { path, rank: compileExpression(rank) } }
}

export function listed(path: string): Pick<Card, 'list'> {
  return { list: { path, rank: null } }
}

interface AnswerParts {
  readonly warnings?: readonly Warning[]
  readonly page?: PageStart | null
  readonly input?: Readonly<Record<string, unknown>>
}

/** The answer to a successful call of a card. */
export function answerOf(card: Card, data: unknown, parts: AnswerParts = {}): Answer {
  const { warnings = [], page = null, input = {} } = parts
  return {
    envelope: {
      ok: true,
      data,
      error: null,
      meta: {
        capability_id: card.id,
        request_id: '01JE5YVJ3M8Q4W6Z9X2C7B1N0P',
        route_used: 'rest',
        reason: 'CARD_PREFERRED',
        attempts: [{ route: 'rest', status: 'success', duration_ms: 12.4 }],
        duration_ms: 13.1,
        warnings,
      },
    },
    status: 200,
    subject: { ...NO_SUBJECT, card, input, time: Date.UTC(2026, 0, 2, 3, 4, 5), page },
  }
}

export function knowing(...cards: readonly Card[]): Knowledge {
  return {
    catalog: { get: id => cards.find(card => card.id === id) },
    hints: createHints(),
  }
}
