import type { ServerResponse } from 'node:http'

export interface StreamEvent {
  readonly event: string
  readonly data: unknown
  /** A reader sends it as Last-Event-ID to resume after this event. */
  readonly id?: string
}

/** One connection that carries server-sent events. */
export interface EventStream {
  send(event: StreamEvent): void
  onClose(listener: () => void): void
  close(): void
}

/** Keeps proxies from closing a quiet stream as idle. */
const HEARTBEAT_MS = 15_000
/** A reader that falls this far behind is disconnected; it reconnects and resumes. */
const MAX_UNREAD_BYTES = 1024 * 1024
/** Time for a reader to receive the last events before the stream is destroyed. */
const FLUSH_MS = 500
/** The delay after which a disconnected reader reconnects. */
const RETRY_MS = 2000

export interface EventStreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /** The position before the first event: a reader that loses the connection before any event resumes here. */
  readonly startId: string
}

export function openEventStream(
  response: ServerResponse,
  { headers, startId }: EventStreamOptions,
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
    // Asks proxies, nginx above all, not to buffer events.
    'x-accel-buffering': 'no',
  })
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
  }
  write(`retry: ${RETRY_MS}\nid: ${startId}\n\n`)
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
  const { socket } = response
  response.once('close', () => {
    clearInterval(heartbeat)
    // A reader that has left may keep its half of the connection open, and a shutdown would wait for it.
    socket?.destroy()
  })
  return {
    send: ({ event, data, id }) => {
      const position = id === undefined ? '' : `id: ${id}\n`
      write(`event: ${event}\n${position}data: ${JSON.stringify(data)}\n\n`)
    },
    onClose: listener => {
      if (response.destroyed) listener()
      else response.once('close', listener)
    },
    close: () => {
      response.end()
      // A reader that stopped reading must not delay the shutdown.
      setTimeout(() => response.destroy(), FLUSH_MS).unref()
    },
  }
}
