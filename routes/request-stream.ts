import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Engine } from '../src/engine/engine.ts'
import { encodeLiveId } from '../src/journal/cursor.ts'
import type { Journal, JournalFilter } from '../src/journal/journal.ts'
import type { LiveRow, RequestRow } from '../src/journal/row-schemas.ts'
import { GatewayError } from '../src/model/errors.ts'
import { type EventStream, openEventStream } from './support/event-stream.ts'
import { JournalFilterQuery, toFilter, visibleTo } from './support/journal-list.ts'

/** Rows sent to a stream that goes on where another broke off. Whoever missed more has the list. */
const MOST_MISSED = 1000
/** Every one costs a little of each request. */
const MOST_STREAMS = 200

/** `GET /v1/requests/stream`: each request as it is recorded, as server-sent events. */
export function requestStream({
  journal,
  clock,
}: Pick<Engine, 'journal' | 'clock'>): FastifyPluginCallbackTypebox {
  const open = new Set<EventStream>()
  return (app, _options, done) => {
    app.addHook('preClose', ended => {
      for (const stream of open) stream.close()
      ended()
    })
    app.get(
      '/v1/requests/stream',
      {
        schema: {
          tags: ['journal'],
          summary: 'Watch requests as they are recorded (server-sent events)',
          description:
            'Events are called request; their data is a row of GET /v1/requests. Send Last-Event-ID to go on where a stream broke off. An event called gap says that more was missed than is sent again.',
          querystring: JournalFilterQuery,
        },
      },
      async (request, reply) => {
        if (open.size >= MOST_STREAMS) throw tooMany()
        const filter = visibleTo(request.caller, toFilter(request.query))
        const startId = lastEventId(request) ?? encodeLiveId({ ended: clock.now(), key: 0 })
        const backlog = createBacklog(journal, filter)
        const missed = await readMissed(journal, filter, lastEventId(request)).catch(error => {
          backlog.end()
          throw error
        })
        reply.hijack()
        const headers = { 'x-request-id': request.id }
        const stream = openEventStream(reply.raw, { headers, startId })
        open.add(stream)
        stream.onClose(() => open.delete(stream))
        if (missed.length >= MOST_MISSED) stream.send({ event: 'gap', data: { sent: MOST_MISSED } })
        for (const live of missed) sendRow(stream, live)
        backlog.follow(new Set(missed.map(({ id }) => id)), live => sendRow(stream, live))
        stream.onClose(() => backlog.end())
      },
    )
    done()
  }
}

function sendRow(stream: EventStream, { id, row }: LiveRow): void {
  stream.send({ id, event: 'request', data: row })
}

/**
 * Watches at once and keeps what comes, so that nothing falls between what was missed and what is new;
 * `follow` hands it over and from then on each row as it comes.
 */
function createBacklog(journal: Pick<Journal, 'watch'>, filter: JournalFilter | null) {
  const kept: LiveRow[] = []
  let receive = (live: LiveRow): void => void kept.push(live)
  const end = journal.watch(live => {
    if (filter !== null && passes(filter, live.row)) receive(live)
  })
  return {
    end,
    follow(sent: ReadonlySet<string>, send: (live: LiveRow) => void): void {
      for (const live of kept) if (!sent.has(live.id)) send(live)
      receive = send
    },
  }
}

async function readMissed(
  journal: Pick<Journal, 'missed'>,
  filter: JournalFilter | null,
  id: string | null,
): Promise<readonly LiveRow[]> {
  if (id === null || filter === null) return []
  return await journal.missed(filter, id, MOST_MISSED)
}

function lastEventId({ headers }: FastifyRequest): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}

/** The same as the list's filter in SQL. */
export function passes(filter: JournalFilter, row: RequestRow): boolean {
  const { capability, ok, code, route, caller, since, until } = filter
  const time = Date.parse(row.time)
  return (
    (capability ?? row.capability_id) === row.capability_id &&
    (ok ?? row.ok) === row.ok &&
    (code ?? row.code) === row.code &&
    (route ?? row.route_used) === row.route_used &&
    (caller ?? row.caller) === row.caller &&
    (since ?? time) <= time &&
    time < (until ?? Infinity)
  )
}

function tooMany(): GatewayError {
  return new GatewayError('SERVER', 'Too many streams are open here. Try again later.', {
    status: 503,
    retryAfterMs: 5000,
  })
}
