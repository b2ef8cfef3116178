/** Each row is a promise of a document that defines a dialect, about codes, details, cuts or hints. */
import { describe, expect, test } from 'vitest'
import { checkEnvelope } from '../../../client/envelope.ts'
import { createHints } from '../../../src/hints/registry.ts'
import type { Answer } from '../../../src/model/envelope.ts'
import type { ErrorCode, ErrorSource } from '../../../src/model/errors.ts'
import { describeFailure, failedAnswer } from '../../../src/model/failed-envelope.ts'
import type { ProfileName } from '../../../src/model/profile-name.ts'
import { NO_SUBJECT } from '../../../src/model/subject.ts'
import { PLAIN, renderAnswer } from '../../../src/render/render.ts'
import { fakeCard } from '../../support/cards.ts'
import { errorOf } from '../../support/read-failure.ts'

const card = fakeCard({
  id: 'thing.parts.list',
  list: { path: 'items', rank: null },
  page: { cursor: 'after', size: 'first' },
})
const knowledge = { catalog: { get: () => undefined }, hints: createHints() }
const meta = {
  capability_id: card.id,
  request_id: '01JE0000000000000000000000',
  route_used: 'rest',
  reason: 'CARD_PREFERRED',
  attempts: [],
  duration_ms: 1,
  warnings: [],
} as const

interface Failed {
  readonly source?: ErrorSource
  readonly fields?: readonly { readonly path: string; readonly message: string }[]
  readonly isUnknown?: boolean
}

function failed(code: ErrorCode, { source = 'upstream', fields, isUnknown }: Failed = {}): Answer {
  const error = describeFailure({
    code,
    message: 'It failed.',
    source,
    effect: 'read',
    writeOutcome: null,
    details: fields ? { fields } : {},
    fields: fields?.map(({ path }) => path) ?? [],
  })
  const subject = isUnknown ? NO_SUBJECT : { ...NO_SUBJECT, card, input: {} }
  return { ...failedAnswer(error, meta), subject }
}

// oxlint-disable-next-line typescript/no-explicit-any -- answers of every dialect
function render(answer: Answer, profile: ProfileName, more: Partial<typeof PLAIN> = {}): any {
  const { body } = renderAnswer(knowledge, answer, { ...PLAIN, profile, ...more })
  const parsed = JSON.parse(body)
  expect(checkEnvelope(profile, parsed)).toEqual([])
  return parsed
}

const lacking = [{ path: 'owner', message: 'is required' }]
const wrong = [{ path: 'sizes.0', message: 'must be integer' }]

describe('an error has the code of the document', () => {
  test.each<[ProfileName, ErrorCode, Failed, string]>([
    ['codegraph', 'VALIDATION', { fields: wrong }, 'INVALID_INPUT'],
    ['codegraph', 'VALIDATION', { fields: lacking }, 'MISSING_PARAMS'],
    ['codegraph', 'VALIDATION', { fields: [...lacking, ...wrong] }, 'INVALID_INPUT'],
    ['codegraph', 'NOT_FOUND', { isUnknown: true, source: 'caller' }, 'UNKNOWN_ACTION'],
    ['codegraph', 'NOT_FOUND', {}, 'NOT_FOUND'],
    ['codegraph', 'ADAPTER_UNSUPPORTED', {}, 'NOT_AVAILABLE'],
    ['codegraph', 'UNKNOWN', {}, 'INTERNAL_ERROR'],
    ['codegraph', 'RATE_LIMIT', {}, 'RATE_LIMIT'],
    ['dotbot', 'VALIDATION', { fields: wrong }, 'INVALID_PARAMETER'],
    ['dotbot', 'VALIDATION', {}, 'INVALID_ARGUMENTS'],
    ['dotbot', 'AUTH', {}, 'UNAUTHORIZED_OPERATION'],
    ['dotbot', 'FORBIDDEN', {}, 'UNAUTHORIZED_OPERATION'],
    ['dotbot', 'NETWORK', {}, 'IO_ERROR'],
    ['dotbot', 'NOT_FOUND', {}, 'THING_NOT_FOUND'],
    ['dotbot', 'NOT_FOUND', { isUnknown: true }, 'CAPABILITY_NOT_FOUND'],
    ['budgeted', 'VALIDATION', { fields: wrong }, 'BAD_ARGS'],
    ['budgeted', 'UNKNOWN', {}, 'INTERNAL'],
    ['budgeted', 'NOT_FOUND', {}, 'THING_NOT_FOUND'],
    ['budgeted', 'NETWORK', {}, 'SHOP_UNAVAILABLE'],
    ['budgeted', 'ADAPTER_UNSUPPORTED', {}, 'SHOP_UNAVAILABLE'],
    ['budgeted', 'TIMEOUT', {}, 'SHOP_TIMEOUT'],
    ['budgeted', 'SERVER', {}, 'SHOP_FAILED'],
    ['budgeted', 'SERVER', { source: 'gateway' }, 'GATEWAY_UNAVAILABLE'],
    ['budgeted', 'CONFLICT', {}, 'CONFLICT'],
    ['ghx', 'CONFLICT', {}, 'VALIDATION'],
    ['compact', 'CONFLICT', {}, 'CONFLICT'],
    ['problem', 'CONFLICT', {}, 'CONFLICT'],
  ])('%s: %s %j is %s', (profile, code, facts, expected) => {
    const answer = failed(code, facts)
    expect(errorOf(profile, render(answer, profile)).code).toBe(expected)
    // Also when hardly anything fits.
    expect(errorOf(profile, render(answer, profile, { tokenBudget: 130 })).code).toBe(expected)
  })
})

describe('faulty members stand where the document has them', () => {
  test('codegraph: details.errors, with paths as lists', () => {
    const { details } = errorOf(
      'codegraph',
      render(failed('VALIDATION', { fields: wrong }), 'codegraph'),
    )
    expect(details.errors).toEqual([{ path: ['sizes', '0'], message: 'must be integer' }])
  })

  test.each([
    ['members', { fields: lacking }, { owner: 'is required' }],
    ['a body that cannot be read', {}, { input: 'It failed.' }],
  ])('ghx: %s as members of details', (_name, facts, expected) => {
    const { details } = errorOf('ghx', render(failed('VALIDATION', facts), 'ghx'))
    expect(details).toMatchObject(expected)
  })

  test('compact: in the message, which the upstream did not put them into', () => {
    const { msg } = errorOf('compact', render(failed('VALIDATION', { fields: lacking }), 'compact'))
    expect(msg).toBe('It failed (owner).')
  })
})

const pageOf = (hasNextPage: boolean, items: readonly object[] = [{ a: 1 }]): Answer => ({
  envelope: {
    ok: true,
    data: { items, pageInfo: { hasNextPage, endCursor: hasNextPage ? 'abc' : null } },
    error: null,
    meta,
  },
  status: 200,
  subject: { ...NO_SUBJECT, card, input: {}, page: { cursor: null, size: 30, skip: 0 } as never },
})

describe('further pages are something missing', () => {
  test.each([true, false])('hasNextPage: %s', hasNextPage => {
    expect(render(pageOf(hasNextPage), 'codegraph').data.meta.truncated).toBe(hasNextPage)
    const { truncated, dropped } = render(pageOf(hasNextPage), 'budgeted')
    expect(truncated).toBe(hasNextPage)
    const cut = { kind: 'items', count: 1, cursor: 'abc' }
    if (hasNextPage) expect(dropped).toMatchObject(cut)
    else expect(dropped).toBe(undefined)
  })
})

describe('in budgeted, whatever is missing stands in one object', () => {
  const texts = Array.from({ length: 30 }, (_, n) => ({ n, text: 'long '.repeat(40) }))

  test.each([
    ['a cut list', pageOf(false, texts), 300],
    ['cut texts', pageOf(false, [{ text: 'long '.repeat(2000) }]), 200],
    ['a failure with a long message', failedAt('x '.repeat(2000)), 150],
    [
      'data of which nothing fits',
      pageOf(false, [{ b: Array.from({ length: 500 }, (_, n) => n) }]),
      100,
    ],
  ])('%s', (_name, answer, tokenBudget) => {
    const { truncated, dropped } = render(answer, 'budgeted', { tokenBudget })
    expect(truncated).toBe(true)
    expect(dropped).toMatchObject({ kind: expect.any(String), note: expect.any(String) })
    expect(dropped.count).toBeGreaterThan(0)
  })

  test('an answer that does not fit names a budget that would do', () => {
    const answer = pageOf(false, [{ b: Array.from({ length: 500 }, (_, n) => n) }])
    const { dropped } = render(answer, 'budgeted', { tokenBudget: 100 })
    const [, needed] = /token_budget (\d+) would do/.exec(dropped.note) ?? []
    expect(render(answer, 'budgeted', { tokenBudget: Number(needed) }).ok).toBe(true)
  })
})

function failedAt(message: string): Answer {
  const facts = { source: 'upstream', effect: 'read', writeOutcome: null } as const
  const answer = failedAnswer(describeFailure({ code: 'SERVER', message, ...facts }), meta)
  return { ...answer, subject: { ...NO_SUBJECT, card, input: {} } }
}

describe('hints in an answer', () => {
  test('are in the language of the caller', () => {
    const hintIn = (language: 'en' | 'de') =>
      errorOf('budgeted', render(failed('NOT_FOUND'), 'budgeted', { language })).hint
    expect(hintIn('de')).not.toBe(hintIn('en'))
  })

  test('are those of the failure rule that matched', () => {
    const facts = { source: 'upstream', effect: 'read', writeOutcome: null } as const
    const error = describeFailure({
      code: 'CONFLICT',
      message: 'no',
      hint: 'hint_own_001',
      ...facts,
    })
    expect(error.hint_id).toBe('hint_own_001')
  })
})
