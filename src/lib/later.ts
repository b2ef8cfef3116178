import { createRequire } from 'node:module'
import { once } from './late.ts'

const require = createRequire(import.meta.url)

/**
 * A package, or a file of one, that is loaded when it is used first: most gateways never use some of them, and loading all
 * modules takes most of a start.
 */
export function later<Module>(name: string): () => Module {
  return once(() => require(name) as Module)
}
