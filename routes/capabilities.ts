import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { mayCall, requirePermission } from '../src/access/permission.ts'
import type { Calls } from '../src/call/calls.ts'
import { type Catalog, findCard } from '../src/cards/catalog.ts'
import { describeCard, summaryWith } from '../src/cards/describe.ts'
import { CardSummary, PublishedCard } from '../src/cards/published-card.ts'
import { findCards, WANTED_EFFECTS } from '../src/cards/search.ts'
import type { Hints } from '../src/hints/registry.ts'
import type { Building } from '../src/lib/building.ts'
import { checkWords } from '../src/model/call-words.ts'
import type { Caller } from '../src/model/caller.ts'
import type { Answer } from '../src/model/envelope.ts'
import { GatewayError } from '../src/model/errors.ts'
import type { ExecuteRequest } from '../src/model/execute-request.ts'
import { memoryOf } from '../src/model/memory.ts'
import { OneOf } from '../src/model/one-of.ts'
import { HEADER_NAMES } from '../src/model/option-names.ts'
import { ExplainedPlan } from '../src/model/plan.ts'
import { RouteName } from '../src/model/schema-parts.ts'
import { createFitting } from '../src/render/fitting.ts'
import { sendRendered, success } from './support/answer.ts'
import { afterSending, callerSignal } from './support/caller-signal.ts'
import { textOf } from './support/header-text.ts'
import { PresentationQuery, readPresentation, wishesOf } from './support/presentation.ts'
import { answersOf, MemoryQuery, TimeoutQuery } from './support/schemas.ts'
import { readUpstreamToken } from './support/upstream-token.ts'

const Params = Type.Object({
  id: Type.String({ maxLength: 200, description: 'For example repo.view.' }),
})

const planning = {
  route: Type.Optional(RouteName),
  timeout_ms: TimeoutQuery,
  ...MemoryQuery,
}
const ExplainQuery = Type.Object(planning, { additionalProperties: false })

export const RunQuery = Type.Object(
  { ...planning, ...PresentationQuery },
  { additionalProperties: false },
)

const ListQuery = Type.Object(
  {
    q: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Words to search for in ids, descriptions and members; the best first.',
      }),
    ),
    effect: Type.Optional(OneOf(WANTED_EFFECTS, 'Only this effect; change: all but read.')),
    upstream: Type.Optional(Type.String({ maxLength: 100, description: 'For example github.' })),
    fields: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Members of each item to return, comma-separated: id,description.',
      }),
    ),
  },
  { additionalProperties: false },
)

const LIST = {
  schema: {
    tags: ['capabilities'],
    operationId: 'listCapabilities',
    summary: 'List the capabilities, or search them',
    description:
      'Lists what the key may call: id, description, effect, upstream and routes of each.',
    querystring: ListQuery,
    response: answersOf(Type.Object({ items: Type.Array(Type.Partial(CardSummary)) })),
  },
}
const SHOW = {
  schema: {
    tags: ['capabilities'],
    operationId: 'showCapability',
    summary: 'Show one capability',
    description:
      'Shows the JSON Schemas of its input and output, its effect, its routes and their quotas, and what often comes next.',
    params: Params,
    response: answersOf(PublishedCard),
  },
}
/** Hidden: openapi.ts describes one operation for each capability instead. */
const RUN = {
  config: { call: 'capability', admission: true },
  schema: { hide: true, params: Params, querystring: RunQuery },
} as const
const EXPLAIN = {
  schema: {
    tags: ['capabilities'],
    operationId: 'explainCapability',
    summary: 'Show the plan for an input; nothing is sent',
    description:
      'Says which routes a call with this input would try, and which it would skip, each with the reason.',
    params: Params,
    querystring: ExplainQuery,
    body: Type.Unknown({ description: 'The input of the capability.' }),
    response: answersOf(ExplainedPlan),
  },
}

export interface CapabilityOptions {
  readonly calls: Calls
  readonly catalog: Catalog
  readonly hints: Hints
}

/** Lists, shows, runs and explains capabilities. */
export function capabilityRoutes(options: CapabilityOptions): FastifyPluginCallbackTypebox {
  const { calls, catalog } = options
  return (app, _options, done) => {
    app.get('/v1/capabilities', LIST, request =>
      success(request, { items: listCards(catalog, request.caller, request.query) }),
    )
    app.get('/v1/capabilities/:id', SHOW, request => {
      const { caller, params } = request
      const card = findCard(catalog, params.id, known => mayCall(caller, known))
      requirePermission(caller, card)
      return success(request, describeCard(card, visibleTo(caller, catalog)))
    })
    // Fastify would wait for a promise of this handler in three more turns of the microtask queue.
    app.post('/v1/capabilities/:id', RUN, (request, reply) => {
      const fitting = createFitting(options, readPresentation(request))
      const { fields } = request.query
      const shown = wishesOf(request)
      const fail = (error: unknown) => void reply.send(error)
      const answered = (answer: Answer) => {
        try {
          sendRendered(reply, answer, fitting.render(answer))
        } catch (error) {
          fail(error)
        }
      }
      const call = toExecuteRequest(request)
      call.signal = callerSignal(reply)
      call.onSent = afterSending(reply)
      call.fit = fitting.fit
      if (shown !== undefined) call.shown = shown
      if (fields !== undefined) call.fields = fields
      calls.execute(call).then(answered, fail)
    })
    app.post('/v1/capabilities/:id/explain', EXPLAIN, async request =>
      success(request, await calls.explain(toExecuteRequest(request))),
    )
    done()
  }
}

function visibleTo(caller: Caller, catalog: Catalog): (id: string) => boolean {
  return id => {
    const card = catalog.get(id)
    return card !== undefined && mayCall(caller, card)
  }
}

function listCards(
  catalog: Catalog,
  caller: Caller,
  { q = '', fields, ...filter }: Static<typeof ListQuery>,
) {
  requireUpstream(catalog, filter.upstream)
  const query = q.trim() === '' ? undefined : q
  const cards = findCards(catalog, { query, ...filter }).filter(card => mayCall(caller, card))
  return cards.map(summaryWith(fields))
}

/** Without this, a misspelt name would look like a service without capabilities. */
function requireUpstream(catalog: Catalog, name: string | undefined): void {
  const known = [...new Set(catalog.all().map(({ upstream }) => upstream.id))]
  if (name === undefined || known.includes(name)) return
  const message = `must be one of ${known.join(', ')}`
  throw new GatewayError('VALIDATION', `"upstream" ${message}.`, {
    source: 'caller',
    details: { fields: [{ path: 'upstream', message }] },
  })
}

type RunRequest = Pick<FastifyRequest, 'id' | 'correlationId' | 'body' | 'caller' | 'headers'> & {
  params: { id: string }
  query: {
    route?: ExecuteRequest['route']
    timeout_ms?: string
    max_age_ms?: string
    stale_if_error_ms?: string
  }
}

function toExecuteRequest(request: RunRequest): Building<ExecuteRequest> {
  const { params, query, headers, correlationId } = request
  const call: Building<ExecuteRequest> = {
    capability: params.id,
    input: request.body,
    caller: request.caller,
    requestId: request.id,
  }
  const token = readUpstreamToken(headers['x-upstream-authorization'])
  const { traceparent } = headers
  const memory = readMemory(request)
  if (correlationId !== undefined) call.correlationId = correlationId
  if (query.route) call.route = query.route
  if (query.timeout_ms) call.timeoutMs = Number(query.timeout_ms)
  if (token) call.upstreamToken = token
  if (typeof traceparent === 'string') call.traceparent = traceparent
  addWords(call, headers)
  if (memory !== undefined) call.memory = memory
  return call
}

function addWords(call: Building<ExecuteRequest>, headers: RunRequest['headers']): void {
  const idempotencyKey = textOf(headers['idempotency-key'])
  const approval = textOf(headers['signalbox-approval'])
  const reason = textOf(headers['signalbox-reason'])
  if ((idempotencyKey ?? approval ?? reason) === undefined) return
  Object.assign(call, checkWords({ idempotencyKey, approval, reason }, HEADER_NAMES))
}

function readMemory({ query, headers }: RunRequest): ExecuteRequest['memory'] {
  const { max_age_ms, stale_if_error_ms } = query
  return memoryOf(
    { max_age_ms: toNumber(max_age_ms), stale_if_error_ms: toNumber(stale_if_error_ms) },
    headers['cache-control'],
  )
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
