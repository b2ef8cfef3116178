import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { JournalReader } from '../src/journal/journal.ts'
import { AttemptRow, pageOf } from '../src/journal/row-schemas.ts'
import { success } from './support/answer.ts'
import { JournalListQuery, listVisible } from './support/journal-list.ts'
import { answersOf } from './support/schemas.ts'

/** Every call on a route, and every route that was passed over. */
export function attemptRoutes({
  journal,
}: {
  journal: JournalReader
}): FastifyPluginCallbackTypebox {
  return (app, _options, done) => {
    app.get(
      '/v1/attempts',
      {
        schema: {
          tags: ['journal'],
          summary: 'List attempts, newest first',
          querystring: JournalListQuery,
          response: answersOf(pageOf(AttemptRow)),
        },
      },
      async request =>
        success(
          request,
          await listVisible(
            (filter, page) => journal.attempts(filter, page),
            request.query,
            request.caller,
          ),
        ),
    )
    done()
  }
}
