import { openEngine } from './engine.ts'
import type { CommonOptions } from './options.ts'

/** One line a capability: id, effect, routes, description. */
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
  const widths = [0, 1, 2].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  for (const row of rows) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
  }
}
