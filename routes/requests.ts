import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { mayCall, requirePermission } from '../src/access/permission.ts'
import { treatKept } from '../src/call/kept-texts.ts'
import { ReplayReport } from '../src/call/replay/replay.ts'
import { type Catalog, findCard } from '../src/cards/catalog.ts'
import { Fixture, toFixture } from '../src/journal/fixture.ts'
import type { JournalReader } from '../src/journal/journal.ts'
import { pageOf, RequestDetail, RequestRow } from '../src/journal/row-schemas.ts'
import type { Caller } from '../src/model/caller.ts'
import { GatewayError } from '../src/model/errors.ts'
import { nullable } from '../src/model/schema-parts.ts'
import { traceLink } from '../src/model/trace-url.ts'
import { success } from './support/answer.ts'
import { columnsOf, exportResponse, sendExport } from './support/exported.ts'
import {
  listVisible,
  RequestExportQuery,
  RequestListQuery,
  readableBy,
  toFilter,
} from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

const Params = Type.Object({ request_id: Type.String({ maxLength: 200 }) })

const ShownRequest = Type.Composite([
  RequestDetail,
  Type.Object({
    trace_url: nullable(
      Type.String({ description: 'Where its trace can be opened, by the setting trace_url.' }),
    ),
  }),
])

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
const EXPORT_LIST = {
  schema: {
    tags: ['journal'],
    operationId: 'exportRequests',
    summary: 'Export the list of requests as JSON lines or CSV',
    description:
      'Sends all rows that the filters of the list select, without pages. In CSV, the attempts of a row (trail) are JSON, and a text that a spreadsheet would run as a formula begins with an apostrophe.',
    querystring: RequestExportQuery,
    response: exportResponse,
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
    response: answersOf(ShownRequest),
  },
}
const REPLAY = {
  schema: {
    tags: ['journal'],
    operationId: 'replayRequest',
    summary: "Decide one request again with today's cards; nothing is sent",
    description:
      'Makes the decisions of a recorded request again, with the cards of now and the results that were recorded, and says which differ. The key must be allowed to call the capability.',
    params: Params,
    response: answersOf(ReplayReport),
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

const COLUMNS = columnsOf(RequestRow)

export interface RequestOptions {
  readonly journal: Pick<JournalReader, 'requests' | 'request'>
  readonly catalog: Catalog
  /** The template of links to traces; empty for none. */
  readonly traceUrl: string
  readonly replay: (fixture: Fixture) => Promise<ReplayReport>
}

/** Lists, shows, exports and replays recorded requests. */
export function requestRoutes({
  journal,
  catalog,
  traceUrl,
  replay,
}: RequestOptions): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    addLists(app, journal)
    app.get('/v1/requests/:request_id', SHOW, async request => {
      const { params, caller } = request
      const found = await hideForeign(
        journal,
        await findRequest(journal, params.request_id, caller),
        caller,
      )
      const { detail, untrusted, warnings } = treatKept(catalog, caller, found)
      const marks = untrusted.length === 0 ? {} : { untrusted: [...untrusted] }
      const trace_url = traceLink(traceUrl, detail.trace_id ?? undefined)
      return success(request, { ...detail, trace_url }, { ...marks, warnings })
    })
    app.get('/v1/requests/:request_id/export', EXPORT, async request => {
      const { request_id } = request.params
      return success(request, toFixture(await findRequest(journal, request_id, request.caller)))
    })
    app.get('/v1/requests/:request_id/replay', REPLAY, async request => {
      const { params, caller } = request
      const fixture = toFixture(await findRequest(journal, params.request_id, caller))
      const card = findCard(catalog, fixture.capability_id, known => mayCall(caller, known))
      requirePermission(caller, card)
      return success(request, await replay(fixture))
    })
    done()
  }
}

function addLists(
  app: Parameters<FastifyPluginCallbackTypebox>[0],
  journal: RequestOptions['journal'],
): void {
  app.get('/v1/requests', LIST, async request => {
    const list = journal.requests.bind(journal)
    return success(request, await listVisible(list, request.query, request.caller))
  })
  app.get('/v1/requests/export', EXPORT_LIST, async (request, reply) => {
    const { format, ...query } = request.query
    const filter = readableBy(request.caller, toFilter(query))
    const list = journal.requests.bind(journal)
    return await sendExport(reply, { list, filter, format, columns: COLUMNS })
  })
}

/** Leaves out the id of the request that the answer comes from, if this key may not see that request. */
async function hideForeign(
  journal: Pick<JournalReader, 'request'>,
  detail: RequestDetail,
  caller: Caller,
): Promise<RequestDetail> {
  const from = detail.answer_from
  if (caller.operator || from === null || from.request_id === null) return detail
  if ((await journal.request(from.request_id, caller.name)) !== null) return detail
  return { ...detail, answer_from: { ...from, request_id: null } }
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
