import { readdirSync } from 'node:fs'
import type { GhCommand } from './command.ts'

const folder = new URL('commands/', import.meta.url)

/** Topic → its commands. Each file in `commands/` is a topic and exports `commands`. */
export async function collectCommands(): Promise<ReadonlyMap<string, readonly GhCommand[]>> {
  const topics = new Map<string, readonly GhCommand[]>()
  for (const name of readdirSync(folder).sort()) {
    const file = (await import(new URL(name, folder).href)) as { commands: readonly GhCommand[] }
    topics.set(name.replace('.ts', ''), file.commands)
  }
  return topics
}
