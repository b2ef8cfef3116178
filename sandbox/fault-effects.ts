import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import type { FaultAction } from './faults.ts'

/** Time for written bytes to leave the machine before a reset discards them. */
const FLUSH_MS = 30

/** Applies a fault before the request is processed. Returns true if that ended the request. */
export async function applyBefore(fault: FaultAction, reply: FastifyReply): Promise<boolean> {
  if ('delay_ms' in fault) await sleep(fault.delay_ms, undefined, { ref: false })
  if ('status' in fault) {
    const { status, headers = {}, body = { message: STATUS_CODES[status] ?? 'Unknown' } } = fault
    reply.code(status).headers(headers).send(body)
    return true
  }
  if ('hang' in fault) {
    reply.hijack()
    return true
  }
  if ('reset' in fault && fault.reset === 'before') {
    reply.hijack()
    cut(reply.raw.socket)
    return true
  }
  return false
}

export interface Outgoing {
  payload: string | Buffer | Readable
  /** The connection is cut, so the caller gets no complete answer. */
  isCut: boolean
}

/** Applies a fault to a finished answer. */
export function applyAfter(fault: FaultAction, reply: FastifyReply, payload: string): Outgoing {
  const bytes = Buffer.from(payload)
  if ('truncate' in fault) return { payload: bytes.subarray(0, fault.truncate), isCut: false }
  if (!('reset' in fault)) return { payload, isCut: false }
  if (fault.reset === 'midbody') {
    reply.header('content-length', bytes.length)
    return { payload: halfThenCut(bytes, reply.raw.socket), isCut: true }
  }
  cut(reply.raw.socket)
  return { payload, isCut: true }
}

function halfThenCut(bytes: Buffer, socket: Socket | null): Readable {
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, Math.ceil(bytes.length / 2))
      await sleep(FLUSH_MS)
      cut(socket)
    })(),
  )
}

/** Sends a real reset (RST) on TCP. A unix socket has none, so it is only closed. */
function cut(socket: Socket | null): void {
  if (socket?.remoteAddress === undefined) socket?.destroy()
  else socket.resetAndDestroy()
}
