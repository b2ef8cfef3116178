import type { Engine } from '../engine/engine.ts'
import type { RequestRecord } from '../journal/journal.ts'
import type { Answer } from '../model/envelope.ts'
import { observe, record } from './record.ts'

/** A call that was refused at the door: without a known key, or in a form that cannot be read. */
export interface Refused {
  /** Null when the key is not known. */
  readonly caller: string | null
  /** As it stands in the path; null for a batch. */
  readonly capability: string | null
  /** As the caller gave it. */
  readonly traceparent: string | null
  readonly answer: Answer
}

/** In the journal, the caller of a request whose key is not known. No key has such a name. */
export const ANONYMOUS = '(anonymous)'

/** More requests without a key are counted, but not kept: strangers must not be able to fill the disk. */
const KEPT_PER_MINUTE = 60
const MINUTE = 60_000

/** Records calls that never reach the pipeline, so that the journal tells of every call. */
export function createRefusalRecorder(engine: Engine): (refused: Refused) => void {
  let minute = 0
  let kept = 0

  const mayKeep = (now: number) => {
    if (now - minute >= MINUTE) {
      minute = now
      kept = 0
    }
    return kept++ < KEPT_PER_MINUTE
  }

  const trace = (finished: RequestRecord, traceparent: string | null) =>
    engine.tracing?.begin({ time: finished.time, traceparent }).end(finished)

  return ({ caller, capability, traceparent, answer }) => {
    const { envelope, status } = answer
    const card = capability === null ? undefined : engine.catalog.get(capability)
    const finished = {
      request_id: envelope.meta.request_id,
      time: Math.round(engine.clock.now() - envelope.meta.duration_ms),
      caller: caller ?? ANONYMOUS,
      capability_id: card?.id ?? null,
      upstream: card?.upstream.id ?? null,
      effect: card?.effect ?? null,
      http_status: status,
      plan: null,
      envelope,
    }
    const isKept = caller !== null || mayKeep(engine.clock.now())
    if (isKept) void record(engine, finished)
    else observe(engine, finished)
    // A batch is no call, and strangers must not be able to flood the collector either.
    if (isKept && capability !== null) trace(finished, traceparent)
  }
}
