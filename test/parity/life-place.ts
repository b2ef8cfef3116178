import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, type Sandbox, seedDefault } from '../../sandbox/index.ts'
import type { describeCard } from '../../src/cards/describe.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import type { Route } from '../../src/model/route.ts'
import { openGateway } from '../chaos/gateway.ts'
import { type Answers, life, pushedBranch, type Step } from './pull-request-life.ts'

export interface Reply {
  readonly status: number
  readonly envelope: Envelope
}

export type Published = ReturnType<typeof describeCard>

/** A running gateway with its own sandbox. */
export interface LifePlace extends AsyncDisposable {
  readonly sandbox: Sandbox
  /** The published card of a step's capability. */
  readonly cardOf: (step: Step) => Published
  /** Calls a capability, after clearing what the gateway learned about the routes. */
  readonly call: (step: Step, input: Answers, route?: Route) => Promise<Reply>
}

// The sandbox's clock stands still, so that all lives have equal times. It is ahead of the gateway's,
// so that all writes look new.
const NOW = Date.now() + 3_600_000
const ATTEMPT_MS = 10_000

export async function openLifePlace(): Promise<LifePlace> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-'))
  const socketPath = join(directory, 'gh.sock')
  await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
  const sandbox = await createSandbox({
    socketPath,
    now: () => NOW,
    seed: store => {
      seedDefault(store)
      pushedBranch(store)
    },
  })
  const gateway = await openGateway({
    upstream: sandbox.url,
    directory,
    searchPath: process.env.PATH ?? '',
    attemptMs: ATTEMPT_MS,
  })
  const cards = new Map<string, Published>()
  for (const { capability } of life) cards.set(capability, await readCard(gateway.url, capability))
  return {
    sandbox,
    cardOf: ({ capability }) => cards.get(capability) as Published,
    call: ({ capability }, input, route) => {
      gateway.begin({ tripped: [], verifiesComments: true })
      const query = route ? `?route=${route}` : ''
      return post(`${gateway.url}/v1/capabilities/${capability}${query}`, input)
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function readCard(url: string, capability: string): Promise<Published> {
  const response = await fetch(`${url}/v1/capabilities/${capability}`)
  return ((await response.json()) as { data: Published }).data
}

async function post(url: string, input: Answers): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return { status: response.status, envelope: (await response.json()) as Envelope }
}
