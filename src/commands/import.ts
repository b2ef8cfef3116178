import { readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { DEFAULT_PACKS, packDirectories } from '../cards/packs.ts'
import { counted } from '../lib/text.ts'
import { type Changes, compareFolder, type Fate } from '../tools/import/changes.ts'
import { choose, type Named, nameOperations } from '../tools/import/choose.ts'
import { readService } from '../tools/import/document.ts'
import { ImportError, NotExpressible } from '../tools/import/errors.ts'
import { type Drafted, renderFolder, writeFiles } from '../tools/import/files.ts'
import { upstreamId, variablePrefix } from '../tools/import/names.ts'
import { RECORD_FILE, renderRecord } from '../tools/import/record.ts'
import type { UpstreamDraft } from '../tools/import/service.ts'
import { check } from './check.ts'
import { reportChanges } from './import-changes.ts'
import { print } from './output.ts'

export interface ImportOptions {
  readonly out?: string
  readonly id?: string
  readonly only?: string[]
  readonly url?: string
  readonly dryRun?: boolean
  readonly force?: boolean
}

interface Skipped extends Named {
  readonly why: string
}

/** Makes a folder of cards from a document, and checks the cards. */
export async function importDocument(file: string, options: ImportOptions): Promise<void> {
  const { only = [], dryRun = false, force = false } = options
  const service = readService(file)
  const id = chooseId(options, service.title)
  const folder = options.out ?? id
  const all = nameOperations(service.operations, id, shippedIds())
  const { drafted, skipped } = draftAll(choose(all, only, dryRun))
  const chosen = drafted.length + skipped.length
  print(`${service.title}: ${chosen} of ${counted(all.length, 'operation')} chosen`)
  listDrafted(drafted)
  listSkipped(skipped)
  if (drafted.length === 0) {
    throw new ImportError(
      'no card can express any of them. Choose others, or write the cards by hand (docs/cards.md)',
    )
  }
  const upstream = service.upstream(variablePrefix(id), urlOf(options))
  const from = basename(file)
  const files = renderFolder({ id, title: service.title, from, upstream, cards: drafted })
  const ids = new Set(all.map(({ id }) => id))
  const isWhole = chosen === all.length
  const how = { isForced: force, isTried: dryRun, isWhole, ids }
  const changes = compareFolder(folder, files, how)
  if (changes.isRepeated) reportChanges(changes)
  if (dryRun) return print('Wrote nothing, because of --dry-run.')
  writeChanges(folder, changes)
  reportNotes(drafted)
  await checkFolder(folder, id, upstream)
  if (!process.exitCode) print(nextSteps(folder, id, upstream, drafted))
}

const WRITTEN: readonly Fate[] = ['new', 'changed', 'overwritten']
const KEPT: readonly Fate[] = ['edited', 'conflict', 'left']

function writeChanges(folder: string, { files, record }: Changes): void {
  const written = files.filter(({ fate }) => WRITTEN.includes(fate))
  const kept = files.filter(({ fate }) => KEPT.includes(fate)).map(({ name }) => name)
  const texts = written.map(({ name, text }) => [name, text] as const)
  writeFiles(folder, new Map([...texts, [RECORD_FILE, renderRecord(record)]]))
  const also = kept.length > 0 ? `, and kept ${kept.join(', ')}` : ''
  print(`Wrote ${counted(written.length, 'file')} to ${folder}${also}.`)
}

function reportNotes(drafted: readonly Drafted[]): void {
  const count = drafted.filter(({ draft }) => draft.notes.length > 0).length
  if (count > 0) print(`See the comments at the top of ${counted(count, 'card')}.`)
}

function chooseId({ id, out }: ImportOptions, title: string): string {
  const chosen = id ?? upstreamId(out === undefined ? title : basename(resolve(out)))
  if (!/^[a-z][a-z0-9_-]*$/.test(chosen)) {
    throw new ImportError(
      `--id ${chosen} is not a valid id: use lower-case letters, digits and -, such as inventory`,
    )
  }
  if (!DEFAULT_PACKS.includes(chosen)) return chosen
  throw new ImportError(`"${chosen}" is the id of a shipped upstream; choose another with --id`)
}

function urlOf({ url }: ImportOptions): string | null {
  if (url === undefined) return null
  if (/^https?:\/\/[^\s{}]+$/.test(url) && URL.canParse(url)) return url
  throw new ImportError(`--url ${url} is not an address; it must begin with http:// or https://`)
}

/** A gateway usually loads these packs too, and all ids must be unique. */
function shippedIds(): ReadonlySet<string> {
  const files = packDirectories(DEFAULT_PACKS).flatMap(directory => readdirSync(directory))
  return new Set(files.map(name => name.replace(/\.yaml$/, '')))
}

function draftAll(chosen: readonly Named[]): { drafted: Drafted[]; skipped: Skipped[] } {
  const drafted: Drafted[] = []
  const skipped: Skipped[] = []
  for (const named of chosen) {
    try {
      drafted.push({ ...named, draft: named.operation.draft() })
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error
      skipped.push({ ...named, why: error.message })
    }
  }
  return { drafted, skipped }
}

function listDrafted(drafted: readonly Drafted[]): void {
  const width = Math.max(0, ...drafted.map(({ id }) => id.length))
  for (const { id, operation } of drafted) print(`  ${id.padEnd(width)}  ${operation.label}`)
}

function listSkipped(skipped: readonly Skipped[]): void {
  if (skipped.length > 0) print('Skipped, because no card can express them:')
  for (const { operation, why } of skipped) print(`  ${operation.label}: it ${why}`)
}

/** Runs `signalbox check`. If the document names no address, checks with a placeholder. */
async function checkFolder(folder: string, id: string, { url }: UpstreamDraft): Promise<void> {
  const name = `${variablePrefix(id)}_URL`
  const env = url === null ? { [name]: 'http://127.0.0.1', ...process.env } : process.env
  await check([folder], {}, env)
}

function nextSteps(
  folder: string,
  id: string,
  { url, security }: UpstreamDraft,
  drafted: readonly Drafted[],
): string {
  const prefix = variablePrefix(id)
  const reads = drafted.filter(({ operation }) => operation.effect === 'read')
  const [tried] = (reads.length > 0 ? reads : drafted).toSorted(
    (a, b) => requiredOf(a).length - requiredOf(b).length,
  )
  const input = tried
    ? requiredOf(tried)
        .map(name => ` ${name}=…`)
        .join('')
    : ''
  return [
    'Next:',
    ...(url === null ? [`  export ${prefix}_URL=https://…`] : []),
    ...(drafted.some(({ draft }) => draft.needsCredential)
      ? (security?.variables ?? [`${prefix}_TOKEN`]).map(name => `  export ${name}=…`)
      : []),
    `  npx signalbox call ${tried?.id}${input} --capabilities ${folder}`,
    `  npx signalbox serve --capabilities ${folder}`,
  ].join('\n')
}

function requiredOf({ draft }: Drafted): readonly string[] {
  return (draft.input.required ?? []) as readonly string[]
}
