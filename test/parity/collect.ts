import { readdirSync } from 'node:fs'
import type { ManyItems, ManyItemsByCapability, ParityCase, ParityCases } from './case.ts'

export interface Collected {
  readonly cases: ReadonlyMap<string, readonly ParityCase[]>
  readonly manyItems: ReadonlyMap<string, ManyItems>
}

const folder = new URL('cases/', import.meta.url)

/** The folders of `cases/`. Each has a test file of its own, so that workers share the cases. */
export const domains: readonly string[] = readdirSync(folder).sort()

/** Merges what the case files export. @param only names one domain; default: all of them. */
export async function collectCases(only?: string): Promise<Collected> {
  const cases = new Map<string, readonly ParityCase[]>()
  const manyItems = new Map<string, ManyItems>()
  for (const domain of only === undefined ? domains : [only]) {
    for (const name of readdirSync(new URL(`${domain}/`, folder)).sort()) {
      const path = `${domain}/${name}`
      const file = (await import(new URL(path, folder).href)) as {
        cases?: ParityCases
        manyItems?: ManyItemsByCapability
      }
      addAll(cases, file.cases, path)
      addAll(manyItems, file.manyItems, path)
    }
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
