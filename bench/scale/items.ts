import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scale } from '../scale.ts'
import { costOf, post } from '../support/cost-of.ts'
import { type Curve, figure, LINEAR } from '../support/curve.ts'
import { PATIENT, startGateway } from '../support/servers.ts'

/** So many items are parsed, mapped, checked and written for each point, and at least so many calls made. */
const ITEMS = 300_000
const LEAST_CALLS = 20

const CARD = `
id: bench.things.list
version: 1.0.0
description: List things.
effect: read
input:
  type: object
  required: [shelf, count]
  properties:
    shelf: { type: integer, description: "Where the things are." }
    count: { type: integer, description: "How many there are." }
output:
  type: object
  required: [items]
  properties:
    items:
      type: array
      items:
        type: object
        required: [id, name, url, isPrivate, createdAt]
        properties:
          id: { type: integer }
          name: { type: string }
          nameWithOwner: { type: string }
          description: { type: [string, "null"] }
          url: { type: string, format: uri }
          isPrivate: { type: boolean }
          createdAt: { type: string, format: date-time }
          defaultBranch: { type: string }
          stargazerCount: { type: integer }
          license: { type: [string, "null"] }
prefer: [rest]
routes:
  rest:
    method: GET
    path: /shelves/{shelf}/{count}
    result: >-
      {items: body[].{id: id, name: name, nameWithOwner: full_name, description: description, url: html_url,
      isPrivate: private, createdAt: created_at, defaultBranch: default_branch, stargazerCount: stargazers_count,
      license: license.name}}
pool: { rest: core }
`

/** Longer lists: ten members of each item, with formats, through the projection of a card. */
export async function itemsCurve({ processes, directory, quick }: Scale): Promise<Curve> {
  const at = quick ? [10, 100, 1000] : [10, 100, 1000, 10_000]
  const module = new URL('../support/list-upstream.ts', import.meta.url)
  const { first: upstream } = await processes.fork(module, [], 'load')
  const cards = join(directory, 'list')
  await mkdir(cards)
  await cp(new URL('../cards/upstream.yaml', import.meta.url), join(cards, 'upstream.yaml'))
  await writeFile(join(cards, 'bench.things.list.yaml'), CARD)
  const env = { ...PATIENT, SIGNALBOX_PACKS: 'none' }
  const { port, pid } = await startGateway(processes, directory, Number(upstream), { cards, env })
  // Different inputs, because identical reads that run at once share one request.
  const list = (count: number) => (shelf: number) =>
    post(port, '/v1/capabilities/bench.things.list', { shelf, count })
  await costOf(pid as number, quick ? 1000 : 10_000, list(10))
  const points: { ms: number; each: number }[] = []
  for (const count of at) {
    const calls = Math.min(3000, Math.max(LEAST_CALLS, ITEMS / count))
    const cost = await costOf(pid as number, quick ? calls / 4 : calls, list(count))
    points.push({ ms: cost / 1000, each: cost / count })
  }
  return {
    title: 'Items of a list',
    along: 'items',
    at,
    figures: [
      figure('call, CPU ms', points, 'ms', 2, LINEAR),
      figure('item, CPU µs', points, 'each', 1, null),
    ],
  }
}
