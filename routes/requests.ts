import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { type Fixture, toFixture } from '../src/journal/fixture.ts'
import type { JournalReader } from '../src/journal/journal.ts'
import { pageOf, RequestDetail, RequestRow } from '../src/journal/row-schemas.ts'
import type { Caller } from '../src/model/caller.ts'
import { GatewayError } from '../src/model/errors.ts'
import { success } from './support/answer.ts'
import { JournalListQuery, listVisible } from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

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
          response: answersOf(pageOf(RequestRow)),
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
          response: answersOf(RequestDetail),
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
