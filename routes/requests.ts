import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { treatKept } from '../src/call/kept-texts.ts'
import type { Catalog } from '../src/cards/catalog.ts'
import { Fixture, toFixture } from '../src/journal/fixture.ts'
import type { JournalReader } from '../src/journal/journal.ts'
import { pageOf, RequestDetail, RequestRow } from '../src/journal/row-schemas.ts'
import type { Caller } from '../src/model/caller.ts'
import { GatewayError } from '../src/model/errors.ts'
import { success } from './support/answer.ts'
import { listVisible, RequestListQuery } from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

const Params = Type.Object({ request_id: Type.String({ maxLength: 200 }) })

const LIST = {
  schema: {
    tags: ['journal'],
    operationId: 'listRequests',
    summary: 'List requests, newest first',
    description:
      'Lists the recorded calls of the key, or of all keys for an operator, page by page.',
    querystring: RequestListQuery,
    response: answersOf(pageOf(RequestRow)),
  },
}
const SHOW = {
  schema: {
    tags: ['journal'],
    operationId: 'showRequest',
    summary: 'Show one request: its plan, its attempts, its error',
    description:
      'Shows why a call took its route: the plan, each attempt with its outcome, and the error.',
    params: Params,
    response: answersOf(RequestDetail),
  },
}
const EXPORT = {
  schema: {
    tags: ['journal'],
    operationId: 'exportRequest',
    summary: 'Export the decisions of one request, for signalbox replay',
    description:
      'Gives what happened on each attempt, without payloads and credentials. The command signalbox replay decides again on that basis.',
    params: Params,
    response: answersOf(Fixture),
  },
}

/** Lists, shows and exports recorded requests. */
export function requestRoutes({
  journal,
  catalog,
}: {
  readonly journal: Pick<JournalReader, 'requests' | 'request'>
  readonly catalog: Catalog
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/requests', LIST, async request => {
      const list = journal.requests.bind(journal)
      return success(request, await listVisible(list, request.query, request.caller))
    })
    app.get('/v1/requests/:request_id', SHOW, async request => {
      const { params, caller } = request
      const found = await findRequest(journal, params.request_id, caller)
      const { detail, untrusted, warnings } = treatKept(catalog, caller, found)
      const marks = untrusted.length === 0 ? {} : { untrusted: [...untrusted] }
      return success(request, detail, { ...marks, warnings })
    })
    app.get('/v1/requests/:request_id/export', EXPORT, async request => {
      const { request_id } = request.params
      return success(request, toFixture(await findRequest(journal, request_id, request.caller)))
    })
    done()
  }
}

async function findRequest(
  journal: Pick<JournalReader, 'request'>,
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
