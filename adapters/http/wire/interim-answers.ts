import type { Socket } from 'node:net'
import type * as undici from 'undici'
import { Pool } from '../../../src/lib/undici.ts'

/** `HTTP/1.1 103`, and nothing for 101: that would be another protocol. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/
const STATUS_LENGTH = 'HTTP/1.1 100'.length
/** The index of the first digit of the status. */
const STATUS_AT = 'HTTP/1.1 '.length
const ONE = 0x31
/** Until the status is whole. */
const BEGINNING = /^H(T(T(P(\/(1(\.([01]( (1(\d)?)?)?)?)?)?)?)?)?)?$/
/** undici allows as much for the headers of an answer. */
const MOST_BYTES = 16_384

/**
 * Makes sockets skip interim answers that nobody asked for. undici destroys the connection at a `100 Continue`, and has
 * no setting for that, although RFC 9110 (15.2) wants a client to ignore it.
 */
export function skippingInterim(
  connect: undici.buildConnector.connector,
): undici.buildConnector.connector {
  return (options, callback) => {
    connect(options, (...result) => {
      const [, socket] = result
      if (socket) skipInterim(socket)
      callback(...result)
    })
  }
}

/** For dispatchers that make their own connections, such as those through a proxy. */
export function poolSkippingInterim(origin: URL | string, options: object): undici.Pool {
  const { connect } = options as undici.Pool.Options
  if (typeof connect !== 'function') return new Pool(origin, options)
  return new Pool(origin, { ...options, connect: skippingInterim(connect) })
}

function skipInterim(socket: Socket): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  const write = socket.write.bind(socket) as (...data: unknown[]) => boolean
  /** A request was sent whose answer has not begun. */
  let isAwaiting = false
  /** The beginning of an interim answer. */
  let held: Buffer | null = null

  // undici writes the head of a request as a string, and its body as bytes.
  socket.write = (...data: unknown[]) => {
    if (typeof data[0] === 'string') isAwaiting = true
    return write(...data)
  }
  socket.read = (size?: number) => {
    const bytes = read(size)
    if (!isAwaiting || size !== undefined || bytes === null) return bytes
    // Nearly every answer: a whole status line, and no 1xx.
    if (held === null && bytes.length >= STATUS_LENGTH && bytes[STATUS_AT] !== ONE) {
      isAwaiting = false
      return bytes
    }
    const { rest, isWhole } = withoutInterim(held ? Buffer.concat([held, bytes]) : bytes)
    isAwaiting = !isWhole
    held = isWhole ? null : rest
    return isWhole ? rest : null
  }
}

/** `isWhole` says that the rest is no interim answer, nor the beginning of one. */
function withoutInterim(bytes: Buffer): { readonly rest: Buffer; readonly isWhole: boolean } {
  let rest = bytes
  for (;;) {
    const status = rest.toString('latin1', 0, STATUS_LENGTH)
    const isInterim = INTERIM.test(status)
    if (!isInterim) return { rest, isWhole: status !== '' && !BEGINNING.test(status) }
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { rest, isWhole: rest.length > MOST_BYTES }
    rest = rest.subarray(end + 4)
  }
}
