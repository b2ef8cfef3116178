import type { ServerResponse } from 'node:http'

export interface StreamEvent {
  readonly event: string
  readonly data: unknown
  /** What a reader sends as Last-Event-ID to go on after this event. */
  readonly id?: string
}

/** Server-sent events on one connection. */
export interface EventStream {
  send(event: StreamEvent): void
  onClose(listener: () => void): void
  close(): void
}

/** Keeps proxies from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000
/** A reader that falls this far behind is cut off; it comes back and asks for what it missed. */
const MOST_UNREAD_BYTES = 1024 * 1024
/** For a reader to take what was written before the end. */
const LAST_WORDS_MS = 500
/** How soon a reader comes back. */
const RETRY_MS = 2000

export interface EventStreamOptions {
  readonly headers: Readonly<Record<string, string>>
  /** The position before the first event, for readers that lose the connection before it. */
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
    // Asks a proxy in between, nginx above all, to pass events on at once.
    'x-accel-buffering': 'no',
  })
  const write = (text: string) => {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy()
  }
  write(`retry: ${RETRY_MS}\nid: ${startId}\n\n`)
  const heartbeat = setInterval(() => write(': still here\n\n'), HEARTBEAT_MS)
  const { socket } = response
  response.once('close', () => {
    clearInterval(heartbeat)
    // A reader that has gone may leave its half of the connection open, which a shutdown would wait for.
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
      // A reader that does not read must not hold up the shutdown.
      setTimeout(() => response.destroy(), LAST_WORDS_MS).unref()
    },
  }
}
