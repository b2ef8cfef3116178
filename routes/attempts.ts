import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { JournalReader } from '../src/journal/journal.ts'
import { AttemptRow, pageOf } from '../src/journal/row-schemas.ts'
import { success } from './support/answer.ts'
import { columnsOf, exportResponse, sendExport } from './support/exported.ts'
import {
  AttemptExportQuery,
  AttemptListQuery,
  listVisible,
  readableBy,
  toFilter,
} from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

const LIST = {
  schema: {
    tags: ['journal'],
    operationId: 'listAttempts',
    summary: 'List attempts, newest first',
    description: 'Lists every call on a route, and every skipped route, page by page.',
    querystring: AttemptListQuery,
    response: answersOf(pageOf(AttemptRow)),
  },
}

const EXPORT = {
  schema: {
    tags: ['journal'],
    operationId: 'exportAttempts',
    summary: 'Export the list of attempts as JSON lines or CSV',
    description: 'Sends all rows that the filters of the list select, without pages.',
    querystring: AttemptExportQuery,
    response: exportResponse,
  },
}

const COLUMNS = columnsOf(AttemptRow)

/** Lists every call on a route, and every skipped route. */
export function attemptRoutes({
  journal,
}: {
  readonly journal: Pick<JournalReader, 'attempts'>
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get('/v1/attempts', LIST, async request => {
      const list = journal.attempts.bind(journal)
      return success(request, await listVisible(list, request.query, request.caller))
    })
    app.get('/v1/attempts/export', EXPORT, async (request, reply) => {
      const { format, ...query } = request.query
      const filter = readableBy(request.caller, toFilter(query))
      const list = journal.attempts.bind(journal)
      return await sendExport(reply, { list, filter, format, columns: COLUMNS })
    })
    done()
  }
}
