/**
 * `npm run parity [-- PREFIX]`: runs every case and pages through every list on every route, and
 * prints the matrix of capabilities and routes. The exit code is 0 only if there is no difference.
 */
import { availableParallelism } from 'node:os'
import type { Card } from '../../src/model/card.ts'
import { ROUTES, type Route } from '../../src/model/route.ts'
import { gh } from '../support/parts.ts'
import { type Collected, collectCases, titleOf } from './collect.ts'
import { hostileCases } from './hostile/cases.ts'
import { openPlace, type Place } from './place.ts'
import { runCase } from './run-case.ts'
import { allWalks, runPages } from './run-pages.ts'

interface Cell {
  readonly is: 'equal' | 'not offered' | 'not run' | 'DIFFERENT'
  /** The reason, or the differences. */
  readonly notes: readonly string[]
}

interface Row {
  readonly id: string
  readonly count: number
  readonly seconds: number
  readonly cells: Readonly<Record<Route, Cell>>
}

const [prefix = ''] = process.argv.slice(2)
const collected = await collectCases()
const places = await Promise.all(Array.from({ length: availableParallelism() }, () => openPlace()))
const cards = (places[0]?.engine.catalog.all() ?? []).filter(card => card.id.startsWith(prefix))
const rows = new Map<string, Row>()
const waiting = [...cards]
await Promise.all(places.map(work))
await Promise.all(places.map(place => place[Symbol.asyncDispose]()))
const different = report()
if (!gh.available) console.log(`gh is not installed, so the cli route did not run: ${gh.install}`)
console.log(`${cards.length} capabilities, ${different} differences`)
process.exitCode = different > 0 || (process.env.CI && !gh.available) ? 1 : 0

async function work(place: Place): Promise<void> {
  for (let card = waiting.shift(); card; card = waiting.shift()) {
    rows.set(card.id, await rowOf(place, card, collected))
  }
}

async function rowOf(place: Place, card: Card, { cases, manyItems }: Collected): Promise<Row> {
  const began = performance.now()
  const own = [...(cases.get(card.id) ?? []), ...hostileCases(card.id)]
  const found: Record<Route, string[]> = { rest: [], graphql: [], cli: [] }
  const note = (findings: Partial<Record<Route, readonly string[]>>, title: string) => {
    for (const [route, places] of Object.entries(findings)) {
      found[route as Route].push(...places.map(where => `${title}: ${where}`))
    }
  }
  for (const parityCase of own) note(await runCase(place, card, parityCase), titleOf(parityCase))
  const many = manyItems.get(card.id)
  if (many) note(await runPages(place, card, many, allWalks), `${many.count} items`)
  for (const { route } of card.routes) {
    if (own.length === 0) found[route].push('has no case in test/parity/cases')
    if (card.page && !many) found[route].push('has no long list in test/parity/cases')
  }
  const cells = ROUTES.map(route => [route, cellOf(place, card, route, found[route])] as const)
  const seconds = (performance.now() - began) / 1000
  return {
    id: card.id,
    count: own.length,
    seconds,
    cells: Object.fromEntries(cells) as Row['cells'],
  }
}

function cellOf(place: Place, card: Card, route: Route, found: readonly string[]): Cell {
  const reason = card.notOffered[route]
  if (reason) return { is: 'not offered', notes: [reason] }
  if (!card.routes.some(own => own.route === route)) {
    return { is: 'DIFFERENT', notes: ['there is no such route, and no reason in not_offered'] }
  }
  if (found.length > 0) return { is: 'DIFFERENT', notes: found }
  return { is: place.routes.includes(route) ? 'equal' : 'not run', notes: [] }
}

/** Prints the matrix and returns the number of cells that differ. */
function report(): number {
  const width = Math.max(...cards.map(card => card.id.length), 'capability'.length)
  const line = (id: string, cells: readonly string[], count: string, seconds: string) =>
    console.log(
      [id.padEnd(width), ...cells.map(cell => cell.padEnd(11)), count.padEnd(5), seconds].join(
        '  ',
      ),
    )
  line('capability', ROUTES, 'cases', 'seconds')
  let different = 0
  for (const { id } of cards) {
    const row = rows.get(id)
    if (!row) continue
    line(
      id,
      ROUTES.map(route => row.cells[route].is),
      String(row.count),
      row.seconds.toFixed(1),
    )
    for (const route of ROUTES) {
      const { is, notes } = row.cells[route]
      if (is === 'DIFFERENT') different += 1
      for (const text of notes) console.log(`    ${route} ${is}: ${text}`)
    }
  }
  return different
}
