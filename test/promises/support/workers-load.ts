import { setTimeout as delay } from 'node:timers/promises'
import type { Sandbox } from '../../../sandbox/index.ts'
import { type Answer, REPOSITORY } from './workers.ts'

type Headers = Readonly<Record<string, string>>
/** Calls a capability. Rejects if the connection breaks. */
export type Calling = (id: string, input: object, headers?: Headers) => Promise<Answer>

/** Clients that read and write, and what they have seen so far. */
export interface Clients {
  /** The ids of all answers. */
  readonly answered: readonly string[]
  /** The titles of the issues that were made, as their answers say. */
  readonly made: readonly string[]
  /** How many calls broke off without an answer. */
  broken(): number
  end(): Promise<void>
}

/** Each client makes so many issues; after that it only reads. */
const WRITES = 10
/** Sets the rate of the load: the machine has more to do in the meantime, such as to start a worker. */
const PAUSE_MS = 20
const MOST_TRIES = 100

/** Starts clients that make an issue with every fourth call, under a key, and repeat it as its answer says. */
export function startClients(call: Calling, count: number): Clients {
  const answered: string[] = []
  const made: string[] = []
  let broken = 0
  let stopped = false
  const tryOnce = async (once: () => Promise<Answer>) => {
    const answer = await once().catch(() => null)
    if (answer === null) broken++
    else answered.push(answer.body.meta.request_id)
    return answer
  }
  const make = async (title: string) => {
    const key = { 'idempotency-key': title.replaceAll(' ', '-') }
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const answer = await tryOnce(() => call('issue.create', { title }, key))
      if (answer?.body.ok) made.push(title)
      // Another worker may have died with the call, so the key stays in use for a while.
      if (answer !== null && answer.status !== 503) return
      await delay(PAUSE_MS)
    }
  }
  const client = async (number: number) => {
    for (let turn = 0; !stopped; turn++) {
      if (turn % 4 === 0 && turn < 4 * WRITES) await make(`Made by ${number} in ${turn}`)
      else await tryOnce(() => call('issue.view', { issueNumber: 1 }))
      await delay(PAUSE_MS)
    }
  }
  const clients = Array.from({ length: count }, (_, number) => client(number))
  return {
    answered,
    made,
    broken: () => broken,
    async end() {
      stopped = true
      await Promise.all(clients)
    },
  }
}

/** The titles of the issues that clients have made, as often as the service has them. */
export function titlesIn(sandbox: Sandbox): readonly string[] {
  const { owner, name } = REPOSITORY
  const items = sandbox.store.repositories.find(owner, name)?.items.values() ?? []
  return [...items].map(({ title }) => title).filter(title => title.startsWith('Made by '))
}
