import type { FastifyRequest } from 'fastify'
import type { KeyRing } from '../../src/access/key-ring.ts'
import { isMonitor } from '../../src/access/permission.ts'
import type { Caller } from '../../src/model/caller.ts'
import { GatewayError } from '../../src/model/errors.ts'
import type { EventStream } from './event-stream.ts'

/** Ends a stream with the key or token of its reader, and when a reload takes it away or changes which rows it may see. */
export function endWithKey(
  stream: Pick<EventStream, 'close' | 'onClose'>,
  { caller, headers }: Pick<FastifyRequest, 'caller' | 'headers'>,
  keys: Pick<KeyRing, 'identify' | 'onReplace'>,
): void {
  closeAt(stream, caller.expires)
  const check = async () => {
    const now = await keys.identify(headers.authorization)
    if (now instanceof GatewayError || !seesAlike(caller, now)) stream.close()
  }
  const recheck = () => void check().catch(() => stream.close())
  stream.onClose(keys.onReplace(recheck))
  // A reload may have come since the request was admitted.
  recheck()
}

function seesAlike(one: Caller, other: Caller): boolean {
  return (
    one.name === other.name &&
    one.operator === other.operator &&
    one.expires === other.expires &&
    isMonitor(one) === isMonitor(other)
  )
}

/** The longest that a timer can wait. Until then, nobody's key ends. */
const LONGEST_MS = 2 ** 31 - 1

/** A reader whose key ends needs another to go on. */
function closeAt(
  stream: Pick<EventStream, 'close' | 'onClose'>,
  expires: number | undefined,
): void {
  if (expires === undefined) return
  const left = Math.max(0, expires - Date.now())
  const timer = setTimeout(() => stream.close(), Math.min(left, LONGEST_MS)).unref()
  stream.onClose(() => clearTimeout(timer))
}
