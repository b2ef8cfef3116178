import { Type } from '@sinclair/typebox'
import type { Attempt, Envelope, EnvelopeError } from '../../model/envelope.ts'
import { type BaseCode, CODES, type ErrorCode } from '../../model/errors.ts'
import { OneOf } from '../../model/one-of.ts'
import { AnyObject, AttemptStatusName, closed, RouteName } from '../../model/schema-parts.ts'
import { problemsOf } from './codes.ts'
import { retryFacts } from './error-facts.ts'
import type { Profile } from './profile.ts'
import { Millis } from './schema-parts.ts'

const BASE_CODES = [...new Set(Object.values(CODES).map(({ base }) => base))]

const Meta = Type.Object(
  {
    capability_id: Type.String({ description: 'Empty when the request reached no capability.' }),
    route_used: Type.Optional(RouteName),
    reason: Type.Optional(Type.String()),
    attempts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            route: RouteName,
            status: AttemptStatusName,
            error_code: Type.Optional(Type.String()),
            duration_ms: Type.Optional(Millis('Measured; absent when skipped.')),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
)

const Success = Type.Object(
  { ok: Type.Literal(true), data: AnyObject, error: Type.Optional(Type.Null()), meta: Meta },
  closed,
)

const Failure = Type.Object(
  {
    ok: Type.Literal(false),
    data: Type.Optional(Type.Null()),
    error: Type.Object(
      {
        code: OneOf(BASE_CODES, 'One of the eight base codes.'),
        message: Type.String(),
        retryable: Type.Boolean(),
        details: Type.Optional(AnyObject),
      },
      closed,
    ),
    meta: Meta,
  },
  closed,
)

export const ghx: Profile = {
  description: 'The same four keys, with eight error codes and a smaller meta.',
  schema: Type.Union([Success, Failure]),
  defaultBudget: null,
  tellsCuts: false,
  includesTokens: false,
  render: ({ ok, data, error, meta }) => ({
    ok,
    data,
    error: error && renderError(error, meta),
    meta: {
      capability_id: meta.capability_id ?? '',
      ...(meta.route_used ? { route_used: meta.route_used } : {}),
      ...(meta.reason ? { reason: meta.reason } : {}),
      attempts: meta.attempts.map(renderAttempt),
    },
  }),
}

/** Puts members that the dialect does not have into `details`, where its readers look for them. */
function renderError(error: EnvelopeError, { attempts }: Envelope['meta']) {
  const { code, message, details, next } = error
  const { retryable, ...facts } = retryFacts(error)
  return {
    code: foldCode(code, details, attempts),
    message,
    retryable,
    details: { ...faults(error), ...details, ...facts, next },
  }
}

/** `{owner: "is required"}`, for input that the caller must change. */
function faults(error: EnvelopeError): Readonly<Record<string, string>> {
  if (error.code !== 'VALIDATION') return {}
  const problems = problemsOf(error)
  // Nothing says which member is at fault, as in JSON that does not parse.
  if (problems.length === 0) return { input: error.message }
  return Object.fromEntries(problems.map(({ path, message }) => [path || 'input', message]))
}

/** A timeout that the upstream reports is a failure of the upstream, not of the network. */
function foldCode(
  code: ErrorCode,
  details: EnvelopeError['details'],
  attempts: readonly Attempt[],
): BaseCode {
  const reported =
    code === 'TIMEOUT' &&
    (details.reported_by === 'upstream' ||
      attempts.some(
        attempt => attempt.error_code === code && (attempt.upstream_status ?? 0) >= 400,
      ))
  return reported ? 'SERVER' : CODES[code].base
}

function renderAttempt(attempt: Attempt) {
  const { route, status, error_code, duration_ms } = attempt
  return {
    route,
    status,
    ...(error_code === undefined ? {} : { error_code: foldCode(error_code, {}, [attempt]) }),
    ...(duration_ms === undefined ? {} : { duration_ms }),
  }
}
