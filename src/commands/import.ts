import { existsSync, readdirSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { SHIPPED_DIRECTORIES } from '../cards/load.ts'
import { choose, type Named, nameOffers } from '../tools/import/choose.ts'
import { readService } from '../tools/import/document.ts'
import { type Drafted, renderFolder, writeFolder } from '../tools/import/files.ts'
import { upstreamId, variablePrefix } from '../tools/import/names.ts'
import { type Connection, ImportError, NotExpressible } from '../tools/import/offer.ts'
import { check } from './check.ts'

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

/** Makes a folder of cards from a document, and checks it. */
export async function importDocument(file: string, options: ImportOptions): Promise<void> {
  const { only = [], dryRun = false, force = false } = options
  const service = readService(file)
  const id = chooseId(options, service.title)
  const folder = options.out ?? id
  const all = nameOffers(service.offers, id, shippedIds())
  const { drafted, skipped } = draftAll(choose(all, only, dryRun))
  print(`${service.title}: ${drafted.length + skipped.length} of ${all.length} operations chosen`)
  listDrafted(drafted)
  listSkipped(skipped)
  if (drafted.length === 0) {
    throw new ImportError(
      'none of them can be a card. Choose others, or write the cards by hand (docs/cards.md)',
    )
  }
  if (dryRun) return print('Nothing was written.')
  const connection = service.connection(variablePrefix(id), urlOf(options))
  const from = basename(file)
  const files = renderFolder({ id, title: service.title, from, connection, cards: drafted })
  const kept = writeFolder(folder, files, force)
  const notes = drafted.filter(({ draft }) => draft.notes.length > 0).length
  print(
    `Wrote ${files.size - kept.length} files to ${folder}${kept.length > 0 ? `, and kept ${kept.join(', ')}` : ''}.`,
  )
  if (notes > 0) print(`${notes} of the cards begin with a note for you.`)
  await checkFolder(folder, id, connection)
  if (!process.exitCode) print(nextSteps(folder, id, connection, drafted))
}

function chooseId({ id, out }: ImportOptions, title: string): string {
  const chosen = id ?? upstreamId(out === undefined ? title : basename(resolve(out)))
  if (!/^[a-z][a-z0-9_-]*$/.test(chosen)) {
    throw new ImportError(
      `--id ${chosen} is no id: use lower-case letters, digits and -, such as inventory`,
    )
  }
  const shipped = SHIPPED_DIRECTORIES.map(directory => basename(directory))
  if (!shipped.includes(chosen)) return chosen
  throw new ImportError(
    `"${chosen}" is the id of an upstream that is shipped; choose another with --id`,
  )
}

function urlOf({ url }: ImportOptions): string | null {
  if (url === undefined) return null
  if (/^https?:\/\/[^\s{}]+$/.test(url) && URL.canParse(url)) return url
  throw new ImportError(`--url ${url} is no address: it begins with http:// or https://`)
}

/** Ids are unique among all folders that a gateway loads, the shipped ones included. */
function shippedIds(): ReadonlySet<string> {
  const files = SHIPPED_DIRECTORIES.filter(existsSync).flatMap(directory => readdirSync(directory))
  return new Set(files.map(name => name.replace(/\.yaml$/, '')))
}

function draftAll(chosen: readonly Named[]): { drafted: Drafted[]; skipped: Skipped[] } {
  const drafted: Drafted[] = []
  const skipped: Skipped[] = []
  for (const named of chosen) {
    try {
      drafted.push({ ...named, draft: named.offer.draft() })
    } catch (error) {
      if (!(error instanceof NotExpressible)) throw error
      skipped.push({ ...named, why: error.message })
    }
  }
  return { drafted, skipped }
}

function listDrafted(drafted: readonly Drafted[]): void {
  const width = Math.max(0, ...drafted.map(({ id }) => id.length))
  for (const { id, offer } of drafted) print(`  ${id.padEnd(width)}  ${offer.label}`)
}

function listSkipped(skipped: readonly Skipped[]): void {
  if (skipped.length > 0) print(`Left out, since no card can express them:`)
  for (const { offer, why } of skipped) print(`  ${offer.label}: it ${why}`)
}

/** The same as `signalbox check`, with any address where the document names none. */
async function checkFolder(folder: string, id: string, { url }: Connection): Promise<void> {
  const name = `${variablePrefix(id)}_URL`
  const env = url === null ? { [name]: 'http://127.0.0.1', ...process.env } : process.env
  await check([folder], {}, env)
}

function nextSteps(
  folder: string,
  id: string,
  { url }: Connection,
  drafted: readonly Drafted[],
): string {
  const prefix = variablePrefix(id)
  const reads = drafted.filter(({ offer }) => offer.effect === 'read')
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
    ...(drafted.some(({ draft }) => draft.needsCredential) ? [`  export ${prefix}_TOKEN=…`] : []),
    `  npx signalbox call ${tried?.id}${input} --capabilities ${folder}`,
    `  npx signalbox serve --capabilities ${folder}`,
  ].join('\n')
}

function requiredOf({ draft }: Drafted): readonly string[] {
  return (draft.input.required ?? []) as readonly string[]
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
