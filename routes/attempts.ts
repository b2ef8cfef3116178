import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { type TSchema, Type } from '@sinclair/typebox'
import type { AttemptRow, JournalReader } from '../src/journal/journal.ts'
import { success } from './support/answer.ts'
import { JournalListQuery, listVisible } from './support/journal-list.ts'
import { answersOf, ErrorCodeName, pageOf, RouteName } from './support/schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const AttemptRowSchema = Type.Unsafe<AttemptRow>(
  Type.Object({
    request_id: Type.String(),
    index: Type.Integer({ description: 'Position among the attempts of its request, from 0.' }),
    time: Type.String({ description: 'When the attempt began; RFC 3339, UTC.' }),
    capability_id: nullable(Type.String()),
    caller: Type.String(),
    route: RouteName,
    status: Type.String({ description: 'success, error or skipped.' }),
    code: nullable(ErrorCodeName),
    reason: nullable(Type.String({ description: 'Why it was skipped.' })),
    duration_ms: nullable(Type.Number({ description: 'Null when it was skipped.' })),
    upstream_status: nullable(Type.Integer()),
    next: nullable(
      Type.String({ description: 'What was decided: retry_same, next_route, give_up or verify.' }),
    ),
  }),
)

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
          response: answersOf(pageOf(AttemptRowSchema)),
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
