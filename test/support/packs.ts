import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type LoadResult, loadCapabilities } from '../../src/cards/load.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import type { Environment } from '../../src/model/environment.ts'

/** Writes an upstream and its cards into a directory, which is deleted when the test ends. */
export async function writePack(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await temporaryPack()
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}

/** Copies a pack with one text replaced in one file. The copy is deleted when the test ends. */
export async function copyPack(
  pack: string,
  { file, from, to }: { readonly file: string; readonly from: string; readonly to: string },
): Promise<string> {
  const directory = await temporaryPack()
  await cp(pack, directory, { recursive: true })
  const text = await readFile(join(directory, file), 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  await writeFile(join(directory, file), text.replace(from, to))
  return directory
}

/** Loads packs as a start of the gateway does. */
export async function loadPacks(
  directories: readonly string[],
  env: Environment = {},
): Promise<LoadResult> {
  const loaded = loadCapabilities({
    directories,
    adapters: createAdapters(),
    env,
    now: Date.now,
  })
  await loaded.close()
  return loaded
}

async function temporaryPack(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-pack-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
