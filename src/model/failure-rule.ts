import { type Static, Type } from '@sinclair/typebox'
import { ERROR_CODES, WRITE_OUTCOMES } from './errors.ts'
import { SHARED_FATES } from './failure.ts'
import type { Headers } from './headers.ts'
import { OneOf } from './one-of.ts'
import type { Route } from './route.ts'
import { HintId, RouteName } from './schema-parts.ts'

/** Patterns are JavaScript's, ignore case, and must match somewhere in the value. */
const When = Type.Object(
  {
    route: Type.Optional(Type.Union([RouteName, Type.Array(RouteName)])),
    status: Type.Optional(Type.Union([Type.Integer(), Type.Array(Type.Integer())])),
    /** Header name → pattern; every one must match. */
    header: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** JMESPath predicate over `{body, status, headers}`; for a CLI, `body` is its parsed output. */
    body: Type.Optional(Type.String()),
    /** Pattern for the upstream's message (REST `message`, each GraphQL error, CLI stderr). */
    message: Type.Optional(Type.String()),
    /** GraphQL `errors[].type` or `errors[].extensions.code`. */
    type: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
    exit_code: Type.Optional(Type.Union([Type.Integer(), Type.Array(Type.Integer())])),
    stderr: Type.Optional(Type.String()),
  },
  { additionalProperties: false, minProperties: 1 },
)

const Then = Type.Object(
  {
    /** `ok: true`: this is not a failure. */
    ok: Type.Optional(Type.Literal(true)),
    code: Type.Optional(OneOf(ERROR_CODES)),
    retryable: Type.Optional(Type.Boolean()),
    fallback: Type.Optional(Type.Boolean()),
    write_outcome: Type.Optional(OneOf(WRITE_OUTCOMES)),
    retry_after_s: Type.Optional(Type.Number({ minimum: 0 })),
    shared_fate: Type.Optional(OneOf(SHARED_FATES)),
    /** The id of a hint that helps more than the code's own. */
    hint: Type.Optional(HintId),
    message: Type.Optional(Type.String()),
    /** The members of inputs that it is about, where the message names them by other words. */
    members: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** With `ok: true`: part of the data is missing, and `message` becomes the warning. */
    partial: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** One entry of `failures` in an `upstream.yaml`: how this upstream reports a failure. */
export const FailureRuleSource = Type.Object(
  // oxlint-disable-next-line unicorn/no-thenable -- "when … then …" is the form that people write; it is data.
  { when: When, then: Then },
  { additionalProperties: false },
)
export type FailureRuleSource = Static<typeof FailureRuleSource>

/** The facts that rules match. Adapters fill them in. */
export interface FailureFacts {
  readonly route: Route
  readonly status: number | null
  readonly headers: Headers
  readonly body: unknown
  /** Messages by the upstream, never by a caller. */
  readonly messages: readonly string[]
  readonly types: readonly string[]
  readonly exitCode: number | null
  readonly stderr: string
}

export interface FailureRule {
  matches(facts: FailureFacts): boolean
  /** The statuses that the rule names, or null. Only rules with a status look at successful answers. */
  readonly statuses: readonly number[] | null
  /** The exit codes that the rule names, or null. Only rules that name 0 look at a program that succeeded. */
  readonly exitCodes: readonly number[] | null
  /** Whether only words decide: then the rule gives no other code to a failure whose status is known. */
  readonly isWording: boolean
  readonly outcome: FailureRuleSource['then']
}
