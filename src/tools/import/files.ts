import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Named } from './choose.ts'
import { ImportError } from './errors.ts'
import { variablePrefix } from './names.ts'
import type { Draft, UpstreamDraft } from './service.ts'
import { toComments, toYaml } from './yaml.ts'

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
    ['upstream.yaml', renderUpstream(options)],
    ...Object.entries(upstream.files),
    ...cards.map(card => [`${card.id}.yaml`, renderCard(card, from)] as const),
  ])
}

/**
 * Writes the files. Unless forced, it refuses to overwrite a card, and keeps the `upstream.yaml` and schema
 * of an earlier import. Returns the names of the files that it kept.
 */
export function writeFolder(folder: string, files: Files, isForced: boolean): readonly string[] {
  const isThere = (name: string) => existsSync(join(folder, name))
  const shared = [...files.keys()].filter(
    name => name === 'upstream.yaml' || !/\.ya?ml$/.test(name),
  )
  const taken = [...files.keys()].filter(name => isThere(name) && !shared.includes(name))
  if (taken.length > 0 && !isForced) throw alreadyThere(folder, taken)
  const kept = isForced ? [] : shared.filter(isThere)
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of files) {
      if (!kept.includes(name)) writeFileSync(join(folder, name), text)
    }
  } catch (error) {
    throw new ImportError(
      `${folder} is not writable: ${(error as Error).message}. Use another --out`,
    )
  }
  return kept
}

function alreadyThere(folder: string, [first = '', ...others]: readonly string[]): ImportError {
  const more = others.length > 0 ? `, and so do ${others.length} others` : ''
  return new ImportError(
    `${join(folder, first)} exists already${more}. Nothing was written: use another --out, ` +
      'choose with --only, or overwrite with --force',
  )
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
  const card = {
    id,
    version: '1.0.0',
    description: draft.description,
    effect: operation.effect,
    ...draft.more,
    input: draft.input,
    output: draft.output,
    prefer: [draft.route],
    routes: { [draft.route]: draft.section },
  }
  const { label, name } = operation
  const shownName = name === null || label.endsWith(` ${name}`) ? '' : ` (${name})`
  const head = `Made by "signalbox import" from ${from}: ${label}${shownName}.`
  return toComments([head, ...draft.notes]) + toYaml(card)
}
