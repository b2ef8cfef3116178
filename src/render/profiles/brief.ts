import { Type } from '@sinclair/typebox'
import type { Envelope, EnvelopeError } from '../../model/envelope.ts'
import { EnvelopeError as ErrorSchema, Meta as MetaSchema } from '../../model/envelope.ts'
import { AnyObject, closed } from '../../model/schema-parts.ts'
import { concernsCaller, Warning } from '../../model/warnings.ts'
import type { Context, Profile } from './profile.ts'
import { fenced } from './schema-parts.ts'

const Warnings = Type.Array(Warning, { minItems: 1, description: 'Only when there are some.' })

const Success = Type.Object(
  {
    ok: Type.Literal(true),
    others: Type.Optional(
      Type.Integer({ description: 'Over MCP, a number around data with text that others wrote.' }),
    ),
    data: AnyObject,
    end: Type.Optional(Type.Integer()),
    meta: Type.Optional(
      Type.Object(
        {
          age_ms: MetaSchema.properties.age_ms,
          untrusted: MetaSchema.properties.untrusted,
          warnings: Type.Optional(Warnings),
        },
        { ...closed, minProperties: 1 },
      ),
    ),
  },
  closed,
)

const { code, message, retryable, retry_after_ms, write_outcome, hint_id, next } =
  ErrorSchema.properties

const Failure = Type.Object(
  {
    ok: Type.Literal(false),
    error: Type.Object(
      {
        code,
        message,
        retryable,
        retry_after_ms: Type.Optional(retry_after_ms),
        write_outcome: Type.Optional(write_outcome),
        hint_id,
        next,
      },
      closed,
    ),
    meta: Type.Object(
      {
        request_id: Type.String({ description: 'Its id in the journal.' }),
        warnings: Type.Optional(Warnings),
      },
      closed,
    ),
  },
  closed,
)

/** A subset of `default`, so that code and instructions for that one hold here too. */
export const brief: Profile = {
  description: 'The members of default that an agent acts on. MCP uses it unless another is named.',
  schema: Type.Union([Success, Failure]),
  defaultBudget: null,
  warns: true,
  includesTokens: false,
  untrusted: 'fence',
  render: renderBrief,
}

function renderBrief({ ok, data, error, meta }: Envelope, { fence }: Context) {
  const concerning = meta.warnings.filter(({ code }) => concernsCaller(code))
  const warnings = concerning.length > 0 ? { warnings: concerning } : {}
  if (ok) {
    const { age_ms, untrusted } = meta
    const facts = {
      ...(age_ms === undefined ? {} : { age_ms }),
      // The fence says enough, for half the tokens.
      ...(untrusted === undefined || fence !== null ? {} : { untrusted }),
      ...warnings,
    }
    const given = fence === null ? { data } : fenced(data, fence)
    return { ok, ...given, ...(Object.keys(facts).length > 0 ? { meta: facts } : {}) }
  }
  return { ok, error: renderError(error), meta: { request_id: meta.request_id, ...warnings } }
}

function renderError({
  code,
  message,
  retryable,
  retry_after_ms,
  write_outcome,
  hint_id,
  next,
}: EnvelopeError) {
  return {
    code,
    message,
    retryable,
    ...(retry_after_ms === null ? {} : { retry_after_ms }),
    ...(write_outcome === null ? {} : { write_outcome }),
    hint_id,
    next,
  }
}
