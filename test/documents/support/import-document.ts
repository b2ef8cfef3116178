import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type LoadResult, loadCapabilities } from '../../../src/cards/load.ts'
import { createAdapters } from '../../../src/gateway/adapters.ts'
import { nameOperations } from '../../../src/tools/import/choose.ts'
import { readService } from '../../../src/tools/import/document.ts'
import { NotExpressible } from '../../../src/tools/import/errors.ts'
import { type Drafted, renderFolder, writeFiles } from '../../../src/tools/import/files.ts'

export interface ImportedDocument {
  readonly total: number
  readonly cards: readonly Drafted[]
  /** Label and reason of each operation without a card. */
  readonly skipped: readonly string[]
  readonly folder: string
  /** The path of the upstream's address, if that is relative. */
  readonly basePath: string
  readonly schemes: Readonly<Record<string, { readonly type: string }>>
  /** Bytes of the largest card. */
  readonly largest: number
  /** Time on a processor, which other programs on the machine do not change. */
  readonly seconds: number
}

/** Imports a whole document, as the command does. */
export function importDocument(file: string, folder: string): ImportedDocument {
  rmSync(folder, { recursive: true, force: true })
  const began = process.cpuUsage()
  const service = readService(file)
  const all = nameOperations(service.operations, 'x', new Set())
  const cards: Drafted[] = []
  const skipped: string[] = []
  for (const named of all) {
    try {
      cards.push({ ...named, draft: named.operation.draft() })
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error
      skipped.push(`${named.operation.label}: ${error.message}`)
    }
  }
  const upstream = service.upstream('X', null)
  writeFiles(folder, renderFolder({ id: 'x', title: service.title, from: 'x', upstream, cards }))
  const { user, system } = process.cpuUsage(began)
  const sizes = cards.map(({ id }) => statSync(join(folder, `${id}.yaml`)).size)
  const seconds = (user + system) / 1e6
  const basePath = ((upstream.section.base_url as string | undefined) ?? '').replace(/^.*\}/, '')
  const schemes = (upstream.security?.keys.schemes ?? {}) as ImportedDocument['schemes']
  return {
    total: all.length,
    cards,
    schemes,
    basePath,
    skipped,
    folder,
    largest: Math.max(...sizes),
    seconds,
  }
}

/** The variables of the other servers. */
function serversAt(folder: string, url: string): Record<string, string> {
  const text = readFileSync(join(folder, 'upstream.yaml'), 'utf8')
  return Object.fromEntries(
    Array.from(text.matchAll(/\$\{(X_\w+_URL):-/g), ([, name = '']) => [name, url]),
  )
}

export function loadFolder(folder: string, url: string): LoadResult {
  return loadCapabilities({
    directories: [folder],
    adapters: createAdapters(),
    env: { ...serversAt(folder, url), X_URL: url, X_TOKEN: 'dTpw' },
    now: Date.now,
  })
}
