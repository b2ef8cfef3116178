import { readdirSync } from 'node:fs'
import type { ManyItems, ManyItemsByCapability, ParityCase, ParityCases } from './case.ts'

export interface Collected {
  readonly cases: ReadonlyMap<string, readonly ParityCase[]>
  readonly manyItems: ReadonlyMap<string, ManyItems>
}

const folder = new URL('cases/', import.meta.url)

/** Merges the exports of the files in `cases/`. */
export async function collectCases(): Promise<Collected> {
  const cases = new Map<string, readonly ParityCase[]>()
  const manyItems = new Map<string, ManyItems>()
  for (const name of readdirSync(folder).sort()) {
    const file = (await import(new URL(name, folder).href)) as {
      cases?: ParityCases
      manyItems?: ManyItemsByCapability
    }
    addAll(cases, file.cases, name)
    addAll(manyItems, file.manyItems, name)
  }
  return { cases, manyItems }
}

function addAll<T>(all: Map<string, T>, own: Readonly<Record<string, T>> = {}, file: string): void {
  for (const [id, value] of Object.entries(own)) {
    if (all.has(id)) throw new Error(`${file} and another file both define ${id}`)
    all.set(id, value)
  }
}

/** A case's title within its capability. */
export function titleOf({ title, input, fails }: ParityCase): string {
  const subject =
    title ?? (typeof input === 'function' ? 'an input from the store' : JSON.stringify(input))
  return fails ? `${subject} fails with ${fails}` : subject
}
