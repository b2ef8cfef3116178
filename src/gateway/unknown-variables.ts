import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFolders } from '../cards/folders.ts'
import { UPSTREAM_FILE } from '../cards/packs.ts'
import type { Environment } from '../model/environment.ts'
import type { Settings } from './config.ts'
import { isOurs } from './spelling.ts'
import { VARIABLE_NAMES } from './variables.ts'

/** Variables of the files in `docker`, which a shell may export for `signalbox` too. */
const OF_DOCKER: readonly string[] = ['SIGNALBOX_SECRETS', 'SIGNALBOX_VERSION']

/**
 * The variables that are named like settings and that nothing reads: no setting, no upstream of one's own, no credential. A
 * misspelt one is refused before (`assertSpelling`).
 */
export function unknownVariables(
  env: Environment,
  { capabilities, credentials }: Pick<Settings, 'capabilities' | 'credentials'>,
): readonly string[] {
  const candidates = Object.keys(env).filter(
    name => isOurs(name) && !VARIABLE_NAMES.includes(name) && !OF_DOCKER.includes(name),
  )
  if (candidates.length === 0) return []
  const texts = [JSON.stringify(credentials), ...capabilities.flatMap(upstreamTexts)]
  const read = new Set(texts.flatMap(text => text.match(/\w+/g) ?? []))
  return candidates.filter(name => !read.has(name))
}

/** A folder that cannot be read is reported where its cards are loaded. */
function upstreamTexts(directory: string): readonly string[] {
  try {
    return findFolders(directory, []).map(path => readFileSync(join(path, UPSTREAM_FILE), 'utf8'))
  } catch {
    return []
  }
}

/** The line about such a variable. */
export function describeUnknown(name: string): string {
  return `${name} is not a setting of Signalbox, and no upstream reads it.`
}
