import { Type } from '@sinclair/typebox'
import { CODES } from '../../model/errors.ts'
import {
  AnyObject,
  ErrorCodeName,
  HintId,
  nullable,
  open,
  WriteOutcomeName,
} from '../../model/schema-parts.ts'
import type { Profile } from './profile.ts'

/** RFC 9457. Members that it does not define are extension members. */
const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Names the error code.' }),
    title: Type.String({ description: 'The same for every problem of this type.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.' }),
    detail: Type.String(),
    instance: Type.Optional(
      Type.String({ format: 'uri-reference', description: 'This request, in the journal.' }),
    ),
    code: ErrorCodeName,
    retryable: Type.Boolean(),
    retry_after_ms: nullable(Type.Number()),
    write_outcome: nullable(WriteOutcomeName),
    hint_id: HintId,
    next: Type.Optional(AnyObject),
    details: Type.Optional(AnyObject),
  },
  open,
)

const MARKS = ['type', 'title', 'status', 'detail', 'code'] as const
const ANYTHING = Object.fromEntries(MARKS.map(name => [name, {}]))

/** A success is the bare data. It must not look like a problem. */
const Data = Type.Object(
  {},
  { ...open, not: { type: 'object', required: MARKS, properties: ANYTHING } },
)

export const problem: Profile = {
  description: 'Only the data; failures as application/problem+json (RFC 9457).',
  schema: Type.Union([Problem, Data]),
  failureType: 'application/problem+json',
  defaultBudget: null,
  leastBudget: 150,
  tellsCuts: false,
  includesTokens: false,
  render: ({ ok, data, error, meta }, { bare, status }) => {
    if (ok) return data
    const { code, message, retryable, retry_after_ms, write_outcome, hint_id, next, details } =
      error
    return {
      type: `urn:signalbox:error:${code}`,
      title: CODES[code].meaning,
      status,
      detail: message,
      code,
      retryable,
      retry_after_ms,
      write_outcome,
      hint_id,
      ...(bare ? {} : { instance: `/v1/requests/${meta.request_id}`, next, details }),
    }
  },
}
