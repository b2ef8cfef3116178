import { openEngine } from './open-engine.ts'
import type { CommonOptions } from './options.ts'
import { print, toTable } from './output.ts'

/** Prints a line for each capability: id, effect, routes, description. */
export async function capabilities(options: CommonOptions): Promise<void> {
  await using engine = await openEngine(options)
  const rows = engine.catalog
    .all()
    .map(({ id, effect, routes, description }) => [
      id,
      effect,
      routes.map(({ route }) => route).join(' '),
      description,
    ])
  print(toTable(rows))
}
