import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from '@sinclair/typebox'
import { type Fixture, toFixture } from '../src/journal/fixture.ts'
import type { JournalReader, RequestDetail, RequestRow } from '../src/journal/journal.ts'
import type { Caller } from '../src/model/caller.ts'
import { GatewayError } from '../src/model/errors.ts'
import { success } from './support/answer.ts'
import { JournalListQuery, listVisible } from './support/journal-list.ts'
import { answersOf, ErrorCodeName, pageOf, RouteName } from './support/schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const json = { type: ['object', 'null'], additionalProperties: true } as const

const rowMembers = {
  request_id: Type.String(),
  time: Type.String({ description: 'When the request began; RFC 3339, UTC.' }),
  caller: Type.String(),
  capability_id: nullable(Type.String()),
  ok: Type.Boolean(),
  code: nullable(ErrorCodeName),
  route_used: nullable(RouteName),
  reason: nullable(Type.String()),
  http_status: Type.Integer(),
  duration_ms: Type.Number(),
  attempts: Type.Integer({ description: 'How many, skipped routes included.' }),
  write_outcome: nullable(
    Type.String({ description: 'unknown also for a write in flight when a gateway died.' }),
  ),
  trail: Type.Array(
    Type.Object({
      route: RouteName,
      status: Type.String({ description: 'success, error or skipped.' }),
      code: nullable(ErrorCodeName),
      reason: nullable(Type.String({ description: 'Why it was skipped.' })),
      duration_ms: nullable(Type.Number()),
      purpose: nullable(
        Type.String({ description: 'verify: a read that found out whether a write was applied.' }),
      ),
    }),
    { description: 'The attempts in short, in order.' },
  ),
}

const RequestRowSchema = Type.Unsafe<RequestRow>(Type.Object(rowMembers))

const RequestDetailSchema = Type.Unsafe<RequestDetail>(
  Type.Object({
    ...rowMembers,
    upstream: nullable(Type.String()),
    effect: nullable(Type.String({ description: 'read, idempotent or write.' })),
    plan: Type.Unsafe({ ...json, description: 'The routing decision, before anything was sent.' }),
    error: Type.Unsafe({ ...json, description: 'As it was answered.' }),
    meta: Type.Unsafe({ ...json, description: 'As it was answered; null when nothing was.' }),
    input: Type.Unknown({ description: 'Redacted; null unless payloads are kept.' }),
    data: Type.Unknown({ description: 'Redacted; null unless payloads are kept.' }),
    trace: Type.Unsafe({ ...json, description: 'What was decided on, attempt by attempt.' }),
  }),
)

const FixtureSchema = Type.Unsafe<Fixture>(
  Type.Object(
    { signalbox_fixture: Type.Literal(1), request_id: Type.String(), capability_id: Type.String() },
    { additionalProperties: true },
  ),
)

const Params = Type.Object({ request_id: Type.String({ maxLength: 200 }) })

/** What was asked of the gateway, and what became of it. */
export function requestRoutes({
  journal,
}: {
  journal: JournalReader
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/v1/requests',
      {
        schema: {
          tags: ['journal'],
          summary: 'List requests, newest first',
          querystring: JournalListQuery,
          response: answersOf(pageOf(RequestRowSchema)),
        },
      },
      async request =>
        success(
          request,
          await listVisible(
            (filter, page) => journal.requests(filter, page),
            request.query,
            request.caller,
          ),
        ),
    )
    app.get(
      '/v1/requests/:request_id',
      {
        schema: {
          tags: ['journal'],
          summary: 'Show one request: its plan, its attempts, its error',
          params: Params,
          response: answersOf(RequestDetailSchema),
        },
      },
      async request =>
        success(request, await findRequest(journal, request.params.request_id, request.caller)),
    )
    app.get(
      '/v1/requests/:request_id/export',
      {
        schema: {
          tags: ['journal'],
          summary: 'Export the decisions of one request, for signalbox replay',
          params: Params,
          response: answersOf(FixtureSchema),
        },
      },
      async request => {
        const { request_id } = request.params
        return success(request, toFixture(await findRequest(journal, request_id, request.caller)))
      },
    )
    done()
  }
}

async function findRequest(
  journal: JournalReader,
  requestId: string,
  caller: Caller,
): Promise<RequestDetail> {
  const found = await journal.request(requestId, caller.operator ? undefined : caller.name)
  if (found) return found
  throw new GatewayError(
    'NOT_FOUND',
    'There is no request with this id that this key may see. It may still be running, or older than the journal keeps.',
    { source: 'caller' },
  )
}
