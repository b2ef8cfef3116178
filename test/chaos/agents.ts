import { setTimeout as sleep } from 'node:timers/promises'
import { checkEnvelope } from '../../client/envelope.ts'
import type { ProfileName } from '../../src/model/profile-name.ts'
import { type ReadFailure, readFailure } from '../support/read-failure.ts'
import type { Place } from './place.ts'
import type { Made, Seen } from './run.ts'

/** An answer as an agent understood it. */
export interface Heard {
  /** Null for a success. */
  readonly failure: ReadFailure | null
  /** Where the answer breaks the rules of its dialect. */
  readonly faults: readonly string[]
}

/** Reads an answer in a dialect. */
export function hear(profile: ProfileName, body: unknown): Heard {
  const faults = checkEnvelope(profile, body).map(({ path, message }) => `${path} ${message}`)
  return faults.length > 0
    ? { failure: null, faults }
    : { failure: readFailure(profile, body), faults }
}

/** An agent gives up after so many calls, as retry loops do. */
const MOST_TURNS = 4
/** Upstreams ask for minutes, which no run can wait. Sending too early must not do harm either. */
const LONGEST_WAIT_MS = 300
const USUAL_WAIT_MS = 20

/** Sends the call, and again for as long as the answers say so. */
export async function act(send: (turn: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = []
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const last = await send(turn)
    made.push(last)
    const failure = last.heard?.failure
    if (!failure || !OBEY[last.call.agent ?? 'default'](failure)) break
    await sleep(
      Math.min(failure.waitMs ?? failure.next?.after_ms ?? USUAL_WAIT_MS, LONGEST_WAIT_MS),
    )
  }
  return made
}

const byFlag = ({ retry }: ReadFailure): boolean => retry
const byAdvice = ({ next }: ReadFailure): boolean =>
  next?.action === 'retry' || next?.action === 'wait'

/** Whether an agent that knows only this dialect sends the same call again. */
const OBEY: Readonly<Record<ProfileName, (failure: ReadFailure) => boolean>> = {
  default: byAdvice,
  brief: byAdvice,
  ghx: byFlag,
  compact: byFlag,
  codegraph: byAdvice,
  dotbot: byFlag,
  budgeted: byFlag,
  problem: byFlag,
}

/**
 * Makes the reads that agents were advised to make, after the upstream has recovered and settled.
 * @returns the ids of the requests whose write was made, but is not in the answer
 */
export async function readAgain(
  { gateway, sandbox }: Place,
  calls: readonly Seen[],
): Promise<readonly string[]> {
  sandbox.faults.clear()
  const unseen: string[] = []
  for (const { requestId, heard, applied, write } of calls) {
    const next = heard?.failure?.next
    if (next?.action !== 'verify' || applied === 0) continue
    const { title, body } = (JSON.parse(write) as [string, { title?: string; body?: string }])[1]
    const response = await fetch(`${gateway.url}/v1/capabilities/${next.capability}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(next.input),
    })
    const text = await response.text()
    const shown = [title, body].some(words => words !== undefined && text.includes(words))
    if (response.ok && !shown) unseen.push(requestId)
  }
  return unseen
}
