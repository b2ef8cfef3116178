import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { undeclaredDestruction } from '../check/undeclared.ts'
import type { Named } from './choose.ts'
import { ImportError } from './errors.ts'
import { variablePrefix } from './names.ts'
import type { Draft, UpstreamDraft } from './service.ts'
import { toComments, toYaml } from './yaml.ts'

const UPSTREAM_FILE = 'upstream.yaml'

/** An operation with its card. */
export interface Drafted extends Named {
  readonly draft: Draft
}

export interface FolderOptions {
  readonly id: string
  readonly title: string
  /** Name of the document, without its folder. */
  readonly from: string
  readonly upstream: UpstreamDraft
  readonly cards: readonly Drafted[]
}

export type Files = ReadonlyMap<string, string>

/** Renders the files of a folder of cards: name → text. */
export function renderFolder(options: FolderOptions): Files {
  const { upstream, cards, from } = options
  return new Map([
    [UPSTREAM_FILE, renderUpstream(options)],
    ...Object.entries(upstream.files),
    ...cards.map(card => [`${card.id}.yaml`, renderCard(card, from)] as const),
  ])
}

/** False for the files that all cards share. */
export function isCard(name: string): boolean {
  return name !== UPSTREAM_FILE && name.endsWith('.yaml')
}

/** @throws {ImportError} if the folder is not writable. */
export function writeFiles(folder: string, files: Files): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of files) writeFileSync(join(folder, name), text)
  } catch (error) {
    throw new ImportError(
      `${folder} is not writable: ${(error as Error).message}. Use another --out`,
    )
  }
}

function renderUpstream({ id, title, from, upstream, cards }: FolderOptions): string {
  const prefix = variablePrefix(id)
  const needing = cards.filter(({ draft }) => draft.needsCredential)
  const credential = {
    env: [`${prefix}_TOKEN`],
    ...(needing.length < cards.length ? { required: false } : {}),
  }
  const value = {
    id,
    // Signalbox would replace `${…}` with an environment variable.
    description: title.replaceAll('${', '{'),
    ...(upstream.security?.keys ??
      (needing.length > 0 || upstream.mayNeedCredential ? { credential } : {})),
    [upstream.route]: upstream.section,
  }
  const head = [`Made by "signalbox import" from ${from}. It is yours now: change what you like.`]
  return toComments([...head, ...upstream.notes]) + toYaml(value)
}

function renderCard({ id, operation, draft }: Drafted, from: string): string {
  const routes = { [draft.route]: draft.section }
  const facts = { id, effect: operation.effect, routes }
  const card = {
    id,
    version: '1.0.0',
    description: draft.description,
    effect: operation.effect,
    ...(undeclaredDestruction(facts) === null ? {} : { destructive: true }),
    ...draft.more,
    input: draft.input,
    output: draft.output,
    prefer: [draft.route],
    routes,
  }
  const { label, name } = operation
  const shownName = name === null || label.endsWith(` ${name}`) ? '' : ` (${name})`
  const head = `Made by "signalbox import" from ${from}: ${label}${shownName}.`
  return toComments([head, ...draft.notes]) + toYaml(card)
}
