import type { Attempt } from '../../src/model/envelope.ts'
import { FAILED, GRAPHQL, SUCCESS, VERIFYING } from './records.ts'

const LATE = { route: 'graphql', status: 'skipped', reason: 'DEADLINE' } as const
const ALIKE = { ...LATE, reason: 'SHARED_FATE' } as const
const CLI = { ...GRAPHQL, route: 'cli', started_ms: 30 } as const
const CHECKED = { ...VERIFYING, route: 'graphql' } as const
const UNKNOWN = { ...FAILED, next: 'verify' } as const
const AGAIN = { ...SUCCESS, retry: 1 } as const
const FELL = 'fall back to the next route'
const CHECK = 'check whether the write was applied'
const NONE = 'no other route could be used'

/** What follows an attempt on REST, how often that counts as a fallback of REST, and how the page of the request says it. */
export const FALLBACKS: readonly [what: string, Attempt[], number, words: string][] = [
  ['another route answered', [FAILED, GRAPHQL], 1, FELL],
  ['another route failed too', [FAILED, { ...CLI, status: 'error' }], 1, FELL],
  ['a route was skipped before the one that was tried', [FAILED, ALIKE, CLI], 1, FELL],
  [
    'no time was left',
    [FAILED, LATE, { ...LATE, route: 'cli' }],
    0,
    'no time was left for another route',
  ],
  ['no other route could be used', [FAILED, ALIKE], 0, NONE],
  ['nothing followed', [FAILED], 0, NONE],
  ['only the check of a write followed', [FAILED, CHECKED], 0, NONE],
  [
    'checks did not find the write, and another route made it',
    [UNKNOWN, VERIFYING, CHECKED, VERIFYING, GRAPHQL],
    1,
    `${CHECK}, then ${FELL}`,
  ],
  ['a check found the write', [UNKNOWN, CHECKED], 0, CHECK],
  [
    'a check did not find the write, and the same route made it',
    [UNKNOWN, CHECKED, AGAIN],
    0,
    CHECK,
  ],
  ['a check did not find the write, and no route was left', [UNKNOWN, CHECKED, ALIKE], 0, CHECK],
]
