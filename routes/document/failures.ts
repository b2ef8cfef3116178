import type { ErrorCode } from '../../src/model/errors.ts'
import {
  describeFailure,
  type FailureReport,
  failedAnswer,
} from '../../src/model/failed-envelope.ts'
import { PLAIN, renderAnswer } from '../../src/render/render.ts'
import { contentOfFailures } from './answers.ts'
import type { Described } from './dialect.ts'
import { EXAMPLE_CAPABILITY, exampleMeta } from './examples.ts'
import { CALL_HEADERS, type HeaderName, refsToHeaders } from './headers.ts'

interface StatusFacts {
  readonly codes: readonly ErrorCode[]
  readonly meaning: string
  /** Beside those of every failure. */
  readonly headers?: readonly HeaderName[]
  /** Few have one: linters check an example again for each operation that can fail with it. */
  readonly example?: Pick<FailureReport, 'message' | 'source'> & Partial<FailureReport>
}

/** Every status of a failure, with the codes that it can have. */
const STATUSES = {
  400: {
    codes: ['VALIDATION'],
    meaning: 'The request is not valid. error.details.fields says what to change.',
    headers: ['WWW-Authenticate'],
    example: {
      message: 'Input of part.create: "title" is required. Members: owner, name, title, body.',
      source: 'caller',
      fields: ['title'],
      details: { fields: [{ path: 'title', message: 'is required' }] },
    },
  },
  401: {
    codes: ['AUTH'],
    meaning: 'The gateway key or the token is missing, or not valid.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    codes: ['FORBIDDEN'],
    meaning: 'The caller may not make this call, or the credential may not do this upstream.',
    headers: ['WWW-Authenticate'],
  },
  404: {
    codes: ['NOT_FOUND'],
    meaning: 'It does not exist, or this credential may not see it.',
    example: {
      message: 'There is no part 7 that this credential can see.',
      source: 'upstream',
    },
  },
  408: {
    codes: ['TIMEOUT'],
    meaning: 'The body of the request did not arrive in time.',
  },
  409: {
    codes: ['CONFLICT', 'APPROVAL_REQUIRED'],
    meaning:
      'It exists already, is stale, locked, or cannot be merged; a request with this Idempotency-Key is still running; or a person has to approve the call first.',
    headers: ['Retry-After'],
  },
  413: {
    codes: ['TOO_LARGE'],
    meaning: 'The input or the answer is over a limit.',
  },
  415: {
    codes: ['VALIDATION'],
    meaning: 'The body is not JSON, or it is compressed.',
  },
  422: {
    codes: ['VALIDATION'],
    meaning: 'The Idempotency-Key belongs to an earlier request with another input.',
  },
  429: {
    codes: ['RATE_LIMIT'],
    meaning: 'A quota of the service, or a limit of the caller, is used up.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    example: { message: 'API rate limit exceeded.', source: 'upstream', retryAfterMs: 60_000 },
  },
  499: {
    codes: ['CANCELLED'],
    meaning: 'The caller closed the connection. Nobody reads this answer, but the journal has it.',
  },
  501: {
    codes: ['ADAPTER_UNSUPPORTED'],
    meaning: 'No route can do this here: a program is missing, or the route is not set up.',
  },
  502: {
    codes: ['SERVER', 'NETWORK', 'AUTH', 'OUTPUT_INVALID', 'UNKNOWN'],
    meaning:
      'The service failed, cannot be reached, rejects the credential, or answers what nobody can read.',
    headers: ['Retry-After'],
  },
  503: {
    codes: ['SERVER', 'NOT_READY'],
    meaning:
      'The gateway is overloaded or shuts down, cannot check a token now, or the result is still being computed.',
    headers: ['Retry-After'],
  },
  504: {
    codes: ['TIMEOUT'],
    meaning: 'The deadline passed, here or at the service.',
    headers: ['Retry-After'],
  },
} as const satisfies Readonly<Record<number, StatusFacts>>

export type FailureStatus = keyof typeof STATUSES

export const FAILURE_STATUSES = Object.keys(STATUSES).map(Number) as FailureStatus[]

/** Every request can fail with these. */
const ALWAYS: readonly FailureStatus[] = [400, 403, 502, 503]
/** A request with a body also with these. */
const WITH_BODY: readonly FailureStatus[] = [408, 413, 415]

export interface Failing {
  readonly hasBody: boolean
  readonly needsKey: boolean
  /** Statuses beside those that every request can fail with. */
  readonly others: readonly FailureStatus[]
}

/** The failures of an operation, by status, as references. Other statuses come from HTTP itself, such as 431. */
export function failuresOf({
  hasBody,
  needsKey,
  others,
}: Failing): Readonly<Record<string, object>> {
  const statuses = [
    ...ALWAYS,
    ...(hasBody ? WITH_BODY : []),
    ...(needsKey ? ([401] as const) : []),
    ...others,
  ]
  const sorted = [...new Set(statuses)].toSorted((a, b) => a - b)
  return Object.fromEntries([
    ...sorted.map(status => [status, refToFailure(status)]),
    ['default', refToFailure('')],
  ])
}

const refToFailure = (status: FailureStatus | '') => ({
  $ref: `#/components/responses/Failure${status}`,
})

/** The failures, for the components of a document: each with its headers and an example. */
export function failureComponents(described: Described): Readonly<Record<string, object>> {
  const general = {
    description: 'Failed; error.code says why, error.next what to do.',
    headers: refsToHeaders([...CALL_HEADERS, 'Retry-After', 'WWW-Authenticate']),
    content: contentOfFailures(described),
  }
  const statuses = FAILURE_STATUSES.map(status => {
    const { codes, meaning, headers = [] }: StatusFacts = STATUSES[status]
    return [
      `Failure${status}`,
      {
        description: `${codes.join(', ')}: ${meaning}`,
        headers: refsToHeaders([...CALL_HEADERS, ...headers]),
        content: contentOfFailures(described, exampleOfFailure(status, described)),
      },
    ]
  })
  return Object.fromEntries([['Failure', general], ...statuses])
}

function exampleOfFailure(status: FailureStatus, { profile, knowledge }: Described): unknown {
  const {
    codes: [code = 'UNKNOWN'],
    example,
  }: StatusFacts = STATUSES[status]
  if (example === undefined) return undefined
  const reason = status === 400 ? 'INPUT_VALIDATION' : null
  const meta = exampleMeta({ capability_id: EXAMPLE_CAPABILITY, reason })
  const error = describeFailure({ code, effect: 'write', writeOutcome: 'not_applied', ...example })
  const answer = failedAnswer(error, meta, status)
  return JSON.parse(renderAnswer(knowledge, answer, { ...PLAIN, profile }).body) as unknown
}
