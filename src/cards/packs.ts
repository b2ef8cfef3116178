import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Problem } from '../lib/problem.ts'
import { parseShipped } from '../lib/yaml-source.ts'
import type { Card } from '../model/card.ts'

/** A folder with this file describes an upstream and holds its cards. */
export const UPSTREAM_FILE = 'upstream.yaml'
/** Packs and shipped rules are data: no code names one of them. */
export const SHIPPED = fileURLToPath(new URL('../../capabilities/', import.meta.url))

/** The names of the shipped packs, which are those of their folders. */
export const PACKS: readonly string[] = readdirSync(SHIPPED)
  .filter(name => existsSync(join(SHIPPED, name, UPSTREAM_FILE)))
  .sort()

const { default: loaded, without_prefix: bare, published } = readChoices()

/** The packs that a gateway loads when its settings choose none. */
export const DEFAULT_PACKS: readonly string[] = loaded

/** The pack whose calls can be compared with what its service publishes. */
export const PUBLISHED_PACK = published

/** The folders of all packs, whether a gateway loads them or not. */
export const SHIPPED_DIRECTORIES: readonly string[] = packDirectories(PACKS)

export function packDirectories(names: readonly string[]): readonly string[] {
  return names.map(name => join(SHIPPED, name))
}

/** The ids of a pack begin with its name, so that two packs never claim the same id. */
export function checkPackPrefix(
  { id, file }: Pick<Card, 'id' | 'file'>,
  folder: string,
  problems: Problem[],
): void {
  if (!SHIPPED_DIRECTORIES.includes(folder)) return
  const pack = basename(folder)
  if (bare.includes(pack) || id.startsWith(`${pack}.`)) return
  const message = `${id} does not begin with the name of its pack`
  problems.push({ file, line: null, message, fix: `Rename it to ${pack}.${id}.` })
}

function readChoices() {
  const file = join(SHIPPED, 'packs.yaml')
  return parseShipped(file, readFileSync(file, 'utf8')) as {
    readonly default: string[]
    readonly without_prefix: string[]
    readonly published: string
  }
}
