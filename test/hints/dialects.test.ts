import { describe, expect, test } from 'vitest'
import { en } from '../../src/hints/en.ts'
import { createHints, LANGUAGES } from '../../src/hints/registry.ts'
import type { Answer } from '../../src/model/envelope.ts'
import { CODES, ERROR_CODES, type ErrorCode } from '../../src/model/errors.ts'
import { describeFailure, failedAnswer } from '../../src/model/failed-envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { renderAnswer } from '../../src/render/render.ts'
import { fakeCard, knowing } from '../support/cards.ts'
import { errorOf } from '../support/read-failure.ts'

/** Ordinary words, which a hint may use without meaning a member of this name. */
const WORDS = new Set(['action', 'code', 'details', 'message', 'next', 'outcome', 'retry'])
/** Options of a call may have the name of a member too. */
const OPTIONS = new Set(['fields', 'route'])

const card = fakeCard({ effect: 'write' })

/** A failure with every member that an error can have. */
function fullFailure(code: ErrorCode): Answer {
  const error = describeFailure({
    code,
    message: 'It failed.',
    source: 'upstream',
    effect: 'write',
    writeOutcome: 'not_applied',
    retryAfterMs: 1000,
    fields: ['title'],
    shows: { capability: 'thing.view', input: {} },
    details: { fields: [{ path: 'title', message: 'is missing' }] },
  })
  const meta = {
    capability_id: card.id,
    request_id: 'r',
    route_used: null,
    reason: null,
    attempts: [],
    duration_ms: 1,
    warnings: [],
  }
  return failedAnswer(error, meta)
}

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const members = Array.isArray(value) ? [] : Object.keys(value)
  return [...members, ...Object.values(value).flatMap(namesIn)]
}

function namesOf(profile: ProfileName, code: ErrorCode): ReadonlySet<string> {
  const how = { profile, tokenBudget: null, host: null }
  const { body } = renderAnswer(knowing(card), fullFailure(code), how)
  return new Set(namesIn(errorOf(profile, JSON.parse(body))))
}

describe.each(ERROR_CODES)('the hint of %s', code => {
  const id = CODES[code].hint
  const names = Object.fromEntries(PROFILE_NAMES.map(name => [name, namesOf(name, code)] as const))
  const all = new Set(Object.values(names).flatMap(set => [...set]))

  test.each(PROFILE_NAMES)('names only members of the error that %s has', profile => {
    for (const language of LANGUAGES) {
      const hint = createHints().find([id], language).hints[id]
      const words = `${hint?.action} ${hint?.field ?? ''}`.match(/[\w]+/g) ?? []
      const meant = words.filter(word => all.has(word) && !WORDS.has(word) && !OPTIONS.has(word))
      expect(meant.filter(word => !names[profile]?.has(word))).toEqual([])
      expect(hint?.field ?? '').not.toMatch(/^error\b/)
    }
  })
})

test('every shipped hint is one of a code, or that of an overloaded gateway', () => {
  const known = [...ERROR_CODES.map(code => CODES[code].hint), 'hint_server_002']
  expect(Object.keys(en).toSorted()).toEqual(known.toSorted())
})
