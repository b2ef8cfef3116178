import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../lib/is-object.ts'

/** Remembers what import wrote, so that a later import knows which files people have edited. */
export const RECORD_FILE = '.import.json'

/** File name → digest of the text that the document gave at the last import. */
export type ImportRecord = ReadonlyMap<string, string>

/** Null if no import has written the folder, or nothing can be read from its record. */
export function readRecord(folder: string): ImportRecord | null {
  const text = readText(folder, RECORD_FILE)
  if (text === null) return null
  try {
    const { files } = JSON.parse(text) as { files?: unknown }
    if (!isObject(files)) return null
    return new Map(Object.entries(files).map(([name, digest]) => [name, String(digest)]))
  } catch {
    return null
  }
}

export function renderRecord(record: ImportRecord): string {
  const files = Object.fromEntries([...record].sort(([a], [b]) => (a < b ? -1 : 1)))
  const about = 'Digests of the files that "signalbox import" wrote. Keep this file with the cards.'
  return `${JSON.stringify({ about, files }, null, 2)}\n`
}

/** Ignores the kind of line ends, which a checkout may change. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex').slice(0, 32)
}

/** Null if there is no such file. */
export function readText(folder: string, name: string): string | null {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : null
}
