import { type Static, type TSchema, type TUnknown, Type } from '@sinclair/typebox'
import { MAX_CALLS } from '../../src/call/batch-run.ts'
import { MAX_CALLER_EXPRESSION } from '../../src/call/references.ts'
import type { DeepReadonly } from '../../src/lib/deep-readonly.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { nullable } from '../../src/model/schema-parts.ts'
import { Warning } from '../../src/model/warnings.ts'
import { BUDGET_LIMITS } from '../../src/render/budget/budget.ts'
import { DropSchema } from '../../src/render/profiles/schema-parts.ts'
import { callOptions } from './call-options.ts'
import { PresentationQuery } from './presentation.ts'

const INPUT =
  'The input of the capability. {"$from": id, "path": JMESPath} stands for a value of the envelope of an earlier call.'

/** One call, as the body of a batch lists it. */
export const BatchCall = Type.Object(
  {
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'Comes back with the answer. Later calls refer to the call by it.',
      }),
    ),
    capability: Type.String({ maxLength: 200, description: 'For example repo.view.' }),
    input: Type.Optional(Type.Unknown({ description: INPUT })),
    needs: Type.Optional(
      Type.Array(Type.String({ maxLength: 128 }), {
        maxItems: MAX_CALLS,
        description: 'Ids of earlier calls that have to succeed before this one begins.',
      }),
    ),
    for_each: Type.Optional(
      Type.Object(
        {
          $from: Type.String({ maxLength: 128, description: 'The id of an earlier call.' }),
          path: Type.Optional(
            Type.String({
              maxLength: MAX_CALLER_EXPRESSION,
              description: 'JMESPath over its whole envelope, for example data.items.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Makes a call for each item of a list that an earlier call returned. Its input reads the item with {"$item": JMESPath}.',
        },
      ),
    ),
    ...callOptions,
    profile: PresentationQuery.profile,
  },
  { additionalProperties: false },
)
export type BatchCall = Static<typeof BatchCall>

/** The calls are validated one by one, so that an invalid call does not fail the others. */
export const BatchBody = Type.Object(
  {
    calls: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_CALLS }),
    stop_on_error: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Begins no further call once one has failed.',
      }),
    ),
    token_budget: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 999_999_999,
        description: `The most tokens the whole answer may take, ${BUDGET_LIMITS.min} to ${BUDGET_LIMITS.max}.`,
      }),
    ),
  },
  { additionalProperties: false },
)
export type BatchBody = Static<typeof BatchBody>

/** Notes on the answer to one call, for dialects that have no place for them. */
const notes = {
  untrusted: Type.Optional(
    Type.Array(Type.String(), { description: 'Where data has text that others wrote.' }),
  ),
  hidden: Type.Optional(
    Type.Array(Type.String(), { description: 'Where texts of others were left out.' }),
  ),
  dropped: Type.Optional(
    Type.Array(DropSchema, { description: 'The parts that a token budget left out.' }),
  ),
  warnings: Type.Optional(
    Type.Array(Warning, {
      description: 'Warnings, such as a step of a change that was not done.',
    }),
  ),
}

/** @param envelope the schema of an answer in any dialect */
const BatchResult = <T extends TSchema>(envelope: T) =>
  Type.Object({
    id: nullable(Type.String({ description: 'The id that the call gave itself.' })),
    item: Type.Optional(
      Type.Integer({ minimum: 0, description: 'The position of its item, with for_each.' }),
    ),
    ok: Type.Boolean(),
    http_status: Type.Integer({
      description: 'The status this call would have had by itself.',
    }),
    request_id: Type.String({ description: 'Its id in the journal.' }),
    ...notes,
    envelope,
  })

/** `data` of the answer to a batch. @param envelope the schema of an answer in any dialect */
export const BatchResults = <T extends TSchema>(envelope: T) =>
  Type.Object({
    status: OneOf(['success', 'partial', 'failed'], 'All, some or none of the calls are ok.'),
    total: Type.Integer({ minimum: 0 }),
    succeeded: Type.Integer({ minimum: 0 }),
    failed: Type.Integer({ minimum: 0 }),
    results: Type.Array(BatchResult(envelope), {
      description: 'In the order of the calls, and of the items of each.',
    }),
  })
export type BatchResults = DeepReadonly<Static<ReturnType<typeof BatchResults<TUnknown>>>>
