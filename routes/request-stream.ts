import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { KeyRing } from '../src/access/key-ring.ts'
import type { Journal, JournalFilter } from '../src/journal/journal.ts'
import { encodeLiveId } from '../src/journal/row-cursor.ts'
import type { LiveRow } from '../src/journal/row-schemas.ts'
import type { Clock } from '../src/lib/clock.ts'
import { GatewayError } from '../src/model/errors.ts'
import { type EventStream, openEventStream } from './support/event-stream.ts'
import { JournalFilterQuery, readableBy, toFilter } from './support/journal-list.ts'
import { createBacklog } from './support/live-rows.ts'
import { endWithKey } from './support/reader-key.ts'
import { EventStreamBody } from './support/schemas.ts'

/** The most rows sent again to a stream that resumes. A reader that missed more has the list. */
const MAX_MISSED = 1000
/** Each open stream adds a little work to every request. */
const MAX_STREAMS = 200

const STREAM = {
  schema: {
    tags: ['journal'],
    operationId: 'watchRequests',
    summary: 'Watch requests as they are recorded (server-sent events)',
    description:
      'Each event named "request" carries a row of GET /v1/requests. Send Last-Event-ID to resume a broken stream. An event named "gap" reports that more rows were missed than the gateway sends again.',
    querystring: JournalFilterQuery,
    response: { 200: EventStreamBody('Events, until either side closes the connection.') },
  },
}

export interface RequestStreamOptions {
  readonly journal: Pick<Journal, 'watch' | 'missed' | 'requests'>
  readonly clock: Pick<Clock, 'now'>
  readonly keys: Pick<KeyRing, 'identify' | 'onReplace'>
}

/** `GET /v1/requests/stream`: sends each request when it is recorded, as server-sent events. */
export function requestStream(options: RequestStreamOptions): FastifyPluginCallbackTypebox {
  const open = new Set<EventStream>()
  return (app, _options, done) => {
    app.addHook('preClose', ended => {
      for (const stream of open) stream.close()
      ended()
    })
    app.get('/v1/requests/stream', STREAM, async (request, reply) => {
      if (open.size >= MAX_STREAMS) throw tooManyStreams()
      const filter = readableBy(request.caller, toFilter(request.query))
      const startId = lastEventId(request) ?? encodeLiveId({ ended: options.clock.now(), key: 0 })
      const rows = await collectRows(options.journal, filter, lastEventId(request))
      reply.hijack()
      // A hijacked reply sends none of the headers that hooks have set.
      const headers = reply.getHeaders() as Record<string, string>
      const stream = openEventStream(reply.raw, { headers, startId })
      open.add(stream)
      stream.onClose(() => open.delete(stream))
      endWithKey(stream, request, options.keys)
      rows.sendTo(stream)
    })
    done()
  }
}

/** Reads the rows that a resuming reader missed, while it already buffers new ones. */
async function collectRows(
  journal: RequestStreamOptions['journal'],
  filter: JournalFilter | null,
  id: string | null,
) {
  const backlog = createBacklog(journal, filter)
  const resumes = id !== null && filter !== null
  const missed = resumes
    ? await journal.missed(filter, id, MAX_MISSED).catch(error => {
        backlog.end()
        throw error
      })
    : []
  return {
    sendTo(stream: EventStream): void {
      if (missed.length >= MAX_MISSED) stream.send({ event: 'gap', data: { sent: MAX_MISSED } })
      for (const live of missed) sendRow(stream, live)
      const sent = new Set(missed.map(row => row.id))
      // The reader resumes, and gets the rows that are missing.
      backlog.follow(
        sent,
        live => sendRow(stream, live),
        () => stream.close(),
      )
      stream.onClose(() => backlog.end())
    },
  }
}

function sendRow(stream: EventStream, { id, row }: LiveRow): void {
  stream.send({ id, event: 'request', data: row })
}

function lastEventId({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

function tooManyStreams(): GatewayError {
  return new GatewayError('SERVER', 'Too many streams are open here. Try again later.', {
    status: 503,
    retryAfterMs: 5000,
  })
}
