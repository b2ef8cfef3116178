import { setTimeout as sleep } from 'node:timers/promises'
import type { LogRow } from '../../sandbox/index.ts'
import type { RequestDetail } from '../../src/journal/row-schemas.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import { act, type Heard, hear, readAgain } from './agents.ts'
import { everyRequestUpstreamIsRecorded } from './checks.ts'
import { type Answer, type CallRequest, callGateway, readRecord } from './client.ts'
import type { Place } from './place.ts'
import { type Scene, setScene } from './scene.ts'
import type { Call, Schedule } from './schedule.ts'
import { type Stall, StallWatch } from './stalls.ts'

/** One call, and everything known about it afterwards. */
export interface Seen {
  readonly call: Call
  readonly requestId: string
  /** Equal for equal inputs of one capability. */
  readonly write: string
  /** Number of objects that its input created. For an update, 1 if it is in effect. */
  readonly applied: number
  /** Null for an agent, and if the client left or the gateway was killed. */
  readonly answer: Answer | null
  /** The agent's reading of the answer. Null for other clients, and if the gateway was killed. */
  readonly heard: Heard | null
  /** The journal's record, or null if there is none. */
  readonly record: RequestDetail | null
  /** Epoch milliseconds. */
  readonly began: number
  readonly wallMs: number
  /** Whether the call was sent to the gateway that was killed. */
  readonly killed: boolean
}

export interface Observation {
  readonly calls: readonly Seen[]
  /** The requests that arrived at the sandbox. */
  readonly log: readonly LogRow[]
  readonly pullRequests: number
  /** The times in which the gateway, and this process, could not run. */
  readonly stalls: { readonly gateway: readonly Stall[]; readonly own: readonly Stall[] }
  /** Ids of requests whose write was made, although the read that \`next\` advised does not show it. */
  readonly unseen: readonly string[]
}

/**
 * How long to wait after the deadline for the record of a request whose client left. After a kill,
 * the record exists at once or never.
 */
const PATIENCE_MS = 3_000
const LAST_PATIENCE_MS = 20_000

export type Made = Omit<Seen, 'write' | 'applied' | 'record'>

/** Runs a schedule and observes the results. */
export async function perform(place: Place, schedule: Schedule, id: string): Promise<Observation> {
  const { gateway, sandbox, clock } = place
  clock.skewMs = schedule.skewMs
  const scene = setScene(sandbox, schedule, id)
  await gateway.begin({ tripped: schedule.tripped, verifiesComments: schedule.verifiesComments })
  await gateway.stalls()
  using watch = new StallWatch()

  const calls = await makeCalls(place, scene, schedule)
  const read = ({ requestId, killed }: Made, patienceMs: number) =>
    readRecord(gateway.url, requestId, killed ? 0 : patienceMs, () => watch.lostMs)
  const records = await Promise.all(
    calls.map(made => read(made, made.call.timeoutMs + PATIENCE_MS)),
  )
  await untilQuiet(sandbox.log.rows())
  const observed = calls.map((made, index) => ({
    ...made,
    write: JSON.stringify([made.call.capability, scene.inputOf(made.call)]),
    applied: scene.applied(made.call),
    record: records[index] ?? null,
  }))
  const observation: Observation = {
    calls: observed,
    log: structuredClone(sandbox.log.rows()),
    pullRequests: scene.pullRequests,
    stalls: { gateway: await gateway.stalls(), own: watch.take() },
    unseen: schedule.crowd === null ? await readAgain(place, observed) : [],
  }
  if (everyRequestUpstreamIsRecorded(observation).length === 0) return observation
  // A request arrived that no record mentions, so its record must still come.
  const again = async (seen: Seen) => ({
    ...seen,
    record: seen.record ?? (await read(seen, LAST_PATIENCE_MS)),
  })
  return { ...observation, calls: await Promise.all(observation.calls.map(again)) }
}

async function makeCalls(place: Place, scene: Scene, schedule: Schedule): Promise<Made[]> {
  const { calls, crowd, killAfterMs } = schedule
  const begun = calls.map((call, index) => makeCall(place, scene, call, index))
  if (crowd) void sleep(crowd.atMs).then(() => scene.addCrowd(crowd.count))
  if (killAfterMs === null) return (await Promise.all(begun)).flat()

  await sleep(killAfterMs)
  await place.gateway.kill()
  // Clients with a key repeat their call, whatever the first answer was.
  const again = calls
    .filter(({ key }) => key !== null)
    .map((call, index) => {
      const patient = { ...call, atMs: 0, leavesAfterMs: null }
      return makeCall(place, scene, patient, calls.length + index)
    })
  const cutOff = (await Promise.all(begun)).flat().map(made => ({ ...made, killed: true }))
  return [...cutOff, ...(await Promise.all(again)).flat()]
}

/** One client: its call, and its repeats. */
async function makeCall(
  { gateway }: Place,
  scene: Scene,
  call: Call,
  index: number,
): Promise<Made[]> {
  await sleep(call.atMs)
  const input = scene.inputOf(call)
  const key = call.key && `${scene.id}.${call.key}`
  const send = (turn: number) =>
    sendCall(gateway.url, call, { input, requestId: `${scene.id}.${index}.${turn}`, key })
  if (call.agent !== null) return await act(send)
  const made: Made[] = []
  for (let turn = 0; turn <= (key === null ? 0 : call.repeats); turn++) made.push(await send(turn))
  return made
}

async function sendCall(url: string, call: Call, request: CallRequest): Promise<Made> {
  const began = Date.now()
  const start = performance.now()
  const got = await callGateway(url, call, request)
  const wallMs = performance.now() - start
  const { requestId } = request
  const common = { call, requestId, began, wallMs, killed: false }
  if (got === null) return { ...common, answer: null, heard: null }
  if (call.agent !== null) return { ...common, answer: null, heard: hear(call.agent, got.body) }
  const { body, ...facts } = got
  return { ...common, answer: { ...facts, envelope: body as Envelope }, heard: null }
}

/** Waits until the upstream is idle. A delayed request continues after its client has left. */
async function untilQuiet(log: readonly LogRow[]): Promise<void> {
  const ends = log.map(({ time, fault }) =>
    fault && 'delay_ms' in fault ? Date.parse(time) + fault.delay_ms + 20 : 0,
  )
  await sleep(Math.max(0, Math.max(0, ...ends) - Date.now()))
}
