import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Gh, GhResult } from '../gh.ts'
import { type GhCommand, layClone, wordsOf } from './command.ts'

const folder = new URL('commands/', import.meta.url)

/** Topic → its commands: each file of `commands/` exports them as `commands`. */
export async function collectCommands(): Promise<ReadonlyMap<string, readonly GhCommand[]>> {
  const topics = new Map<string, readonly GhCommand[]>()
  for (const name of readdirSync(folder).sort()) {
    const file = (await import(new URL(name, folder).href)) as { commands: readonly GhCommand[] }
    topics.set(name.replace('.ts', ''), file.commands)
  }
  return topics
}

export async function runCommand(gh: Gh, command: GhCommand): Promise<GhResult> {
  const { store } = gh.sandbox
  command.given?.(store)
  if (command.inClone) await layClone(gh.directory)
  for (const [name, content] of Object.entries(command.files ?? {})) {
    await writeFile(join(gh.directory, name), content)
  }
  return gh.feed(command.stdin ?? '', ...wordsOf(command, store))
}
