/** The tools of the gateway itself. */
import type { Tool } from '@modelcontextprotocol/server'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { MAX_CALLS } from '../../src/call/batch-run.ts'
import { toldSchema } from '../../src/cards/told-schema.ts'
import type { Card } from '../../src/model/card.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { ROUTES } from '../../src/model/route.ts'

const strict = { additionalProperties: false } as const
const text = (description: string) => Type.String({ description })

/** The options of a call, as a model reads them. The gateway checks them against `CallOptions`. */
export const OPTIONS = {
  fields: text('Members of data to return: items.number,items.title'),
  token_budget: Type.Integer({ description: 'Most tokens of the answer' }),
  timeout_ms: Type.Integer({ description: 'Deadline' }),
  route: OneOf(ROUTES, 'Only this route'),
  idempotency_key: text('Makes a change happen once'),
} as const

/** Options that the tools of single capabilities take without listing them: few calls need them. */
export const MEMORY_OPTIONS = {
  max_age_ms: Type.Integer({ description: 'Take a kept answer that is younger' }),
  stale_if_error_ms: Type.Integer({ description: 'If all fails, one older by less' }),
} as const
/** Options of calls that a person approves. The tools of single capabilities take them without listing them, too. */
export const APPROVAL_OPTIONS = {
  approval_id: text('From error.next, once a person has approved'),
  reason: text('Why, for the person who approves'),
} as const

/**
 * The same for the tool of each capability, where a word costs two hundred times as much. Only reads list the options that
 * make an answer smaller: the answer of a change is small. The instructions say more, and name the options that are taken
 * without being listed.
 */
export function optionsOf({ effect, routes }: Pick<Card, 'effect' | 'routes'>) {
  const names = routes.map(({ route }) => route)
  return {
    ...(effect === 'read'
      ? {
          fields: { type: 'string', description: 'Members of data' },
          token_budget: { type: 'integer', description: 'Size' },
        }
      : { idempotency_key: { type: 'string', description: 'Change once' } }),
    timeout_ms: { type: 'integer', description: 'Limit' },
    ...(names.length > 1 ? { route: { type: 'string', description: names.join('|') } } : {}),
  }
}

const optional = {
  fields: Type.Optional(OPTIONS.fields),
  token_budget: Type.Optional(OPTIONS.token_budget),
  timeout_ms: Type.Optional(OPTIONS.timeout_ms),
  route: Type.Optional(OPTIONS.route),
  idempotency_key: Type.Optional(OPTIONS.idempotency_key),
  max_age_ms: Type.Optional(MEMORY_OPTIONS.max_age_ms),
  stale_if_error_ms: Type.Optional(MEMORY_OPTIONS.stale_if_error_ms),
}

const SHOWS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: false } as const

export const SearchInput = Type.Object(
  {
    query: Type.String({ maxLength: 1000, description: 'What to do, in words: close issue' }),
    effect: Type.Optional(OneOf(['read', 'change'], 'Only reads, or only changes')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        default: 10,
        description: 'Most results; default 10',
      }),
    ),
  },
  strict,
)
export type SearchInput = Static<typeof SearchInput>

export const DescribeInput = Type.Object(
  {
    ids: Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Such as issue.view',
    }),
    output: Type.Optional(
      Type.Boolean({ default: false, description: 'Also the schema of data in the answers' }),
    ),
  },
  strict,
)
export type DescribeInput = Static<typeof DescribeInput>

/** Without the limits, which cost tokens and help no model: `BatchCall` has them. */
const Step = Type.Object(
  {
    id: Type.Optional(text('Your name for the call')),
    capability: text('Its id, such as issue.view'),
    input: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'Its input; may hold $from' }),
    ),
    // Providers take no member called `$from`, so that the description has it.
    for_each: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: '{"$from": id, "path": JMESPath}: one call for each item of that list',
        },
      ),
    ),
    needs: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of calls that must succeed first' }),
    ),
    ...optional,
  },
  strict,
)

export const BatchInput = Type.Object(
  {
    calls: Type.Array(Step, { description: `At most ${MAX_CALLS}` }),
    stop_on_error: Type.Optional(Type.Boolean({ description: 'Begin no call after a failure' })),
    token_budget: Type.Optional(Type.Integer({ description: 'Most tokens of the whole answer' })),
    timeout_ms: Type.Optional(Type.Integer({ description: 'Deadline of the whole batch' })),
    explain: Type.Optional(
      Type.Boolean({ description: 'Only says what the calls would do, and sends nothing' }),
    ),
  },
  strict,
)

export const HintsInput = Type.Object(
  {
    hintIds: Type.Array(Type.String(), {
      maxItems: 100,
      description: 'hint_id or hintId of errors',
    }),
  },
  strict,
)
export type HintsInput = Static<typeof HintsInput>

/** A call without its options. The call checks the input itself. */
export const CallTarget = Type.Object(
  {
    capability: Type.String({ maxLength: 200, description: 'Its id, such as issue.view' }),
    input: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'See search' }),
    ),
  },
  strict,
)
export type CallTarget = Static<typeof CallTarget>

const CallInput = Type.Object(
  {
    ...CallTarget.properties,
    ...optional,
    approval_id: Type.Optional(APPROVAL_OPTIONS.approval_id),
    reason: Type.Optional(APPROVAL_OPTIONS.reason),
  },
  strict,
)

/** @param title for people, who see it in the client */
function tool(
  name: string,
  title: string,
  description: string,
  inputSchema: TObject,
  annotations: NonNullable<Tool['annotations']>,
): Tool {
  return {
    name,
    title,
    description,
    inputSchema: toldSchema(inputSchema) as Tool['inputSchema'],
    annotations,
  }
}

export const SEARCH_TOOL = tool(
  'search',
  'Search capabilities',
  'Finds capabilities by what they do, the best first. input of each has its members and their types: enough for a call, unless it is unclear.',
  SearchInput,
  { ...SHOWS, openWorldHint: false },
)
export const DESCRIBE_TOOL = tool(
  'describe',
  'Describe capabilities',
  'Returns the schema and the facts of capabilities, when what search shows is not enough.',
  DescribeInput,
  { ...SHOWS, openWorldHint: false },
)
export const CALL_TOOL = tool(
  'call',
  'Call a capability',
  'Calls one capability. The answer has data, or an error whose next says what to do.',
  CallInput,
  {
    ...CHANGES,
    openWorldHint: true,
  },
)
export const BATCH_TOOL = tool(
  'batch',
  'Call several capabilities',
  'Makes several calls, and returns an answer for each. Anywhere in an input, {"$from": "id of an earlier call", "path": "data.items[0].number"} stands for a value of that call\'s answer (JMESPath). With for_each, {"$item": "id"} reads a member of the item. For example, calls: [{"id":"t","capability":"part.list","input":{…}}, {"capability":"part.order","for_each":{"$from":"t","path":"data.items"},"input":{"partId":{"$item":"id"}}}]',
  BatchInput,
  { ...CHANGES, openWorldHint: true },
)
export const HINTS_TOOL = tool(
  'get_hints',
  'Look up hints',
  'Says what to do about errors, by the id of the hint in each.',
  HintsInput,
  { ...SHOWS, openWorldHint: false },
)
