import { findCard } from '../cards/catalog.ts'
import { describeCard } from '../cards/describe.ts'
import { openEngine } from './open-engine.ts'
import type { CommonOptions } from './options.ts'
import { print, printJson, toTable } from './output.ts'

/** Prints a line for each capability: id, effect, routes, description. With an id, prints that card as published. */
export async function capabilities(id: string | undefined, options: CommonOptions): Promise<void> {
  await using engine = await openEngine(options)
  if (id !== undefined) return printJson(describeCard(findCard(engine.catalog, id), () => true))
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
