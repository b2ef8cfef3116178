import { clientTypes } from '../tools/client-types/client-types.ts'
import { openEngine } from './open-engine.ts'
import type { CommonOptions } from './options.ts'
import { print } from './output.ts'

/** Prints the types of the loaded capabilities for the typed client. */
export async function types(options: CommonOptions): Promise<void> {
  await using engine = await openEngine(options)
  const made = 'signalbox types'
  print(clientTypes(engine.catalog.all(), { name: 'Capabilities', made }).trimEnd())
}
