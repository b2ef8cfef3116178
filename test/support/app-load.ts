import type { AppGateway } from './app-gateway.ts'
import { gh } from './parts.ts'

interface Load {
  readonly seconds: number
  readonly perSecond: number
}

interface Loaded {
  readonly calls: number
  /** The failure, in words. */
  readonly failures: readonly string[]
  /** Issues that were asked for, and those that are there. */
  readonly asked: number
  readonly made: number
}

const hello = { owner: 'octo-org', name: 'hello-world' }

/** Calls a gateway at a steady rate, by all routes: reads, and every fifth a change. */
export async function load({ gateway }: AppGateway, { seconds, perSecond }: Load): Promise<Loaded> {
  const total = seconds * perSecond
  const began = performance.now()
  const failures: string[] = []
  let asked = 0
  const one = async (index: number) => {
    const route = routeOf(index)
    const isChange = index % 5 === 0
    if (isChange) asked += 1
    const input = isChange ? { ...hello, title: `Under load ${index}` } : hello
    const id = isChange ? 'issue.create' : 'repo.view'
    const { body } = await gateway.call(id, input, { query: { route } })
    if (!body.ok) failures.push(`${id} by ${route}: ${body.error.code} ${body.error.message}`)
  }
  const running: Promise<void>[] = []
  for (let index = 0; index < total; index += 1) {
    const wait = began + (index * 1000) / perSecond - performance.now()
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait))
    running.push(one(index))
  }
  await Promise.all(running)
  const { items } = gateway.sandbox.store.repositories.find('octo-org', 'hello-world') ?? {}
  const made = [...(items?.values() ?? [])].filter(({ title }) => title.startsWith('Under load'))
  return { calls: total, failures, asked, made: made.length }
}

/** Few go to gh: each starts a program. */
function routeOf(index: number): 'rest' | 'graphql' | 'cli' {
  if (gh.available && index % 50 === 7) return 'cli'
  return index % 2 === 0 ? 'rest' : 'graphql'
}
