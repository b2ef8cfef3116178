import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Named } from './choose.ts'
import { variablePrefix } from './names.ts'
import { type Connection, type Draft, ImportError } from './offer.ts'
import { toComments, toYaml } from './yaml.ts'

/** A capability that can be written. */
export interface Drafted extends Named {
  readonly draft: Draft
}

export interface FolderOptions {
  readonly id: string
  readonly title: string
  /** Name of the document, without its folder. */
  readonly from: string
  readonly connection: Connection
  readonly cards: readonly Drafted[]
}

export type Files = ReadonlyMap<string, string>

/** The files of a folder of cards: name → text. */
export function renderFolder(options: FolderOptions): Files {
  const { connection, cards, from } = options
  return new Map([
    ['upstream.yaml', renderUpstream(options)],
    ...Object.entries(connection.files),
    ...cards.map(card => [`${card.id}.yaml`, renderCard(card, from)] as const),
  ])
}

/** Cards are never written over, unless that is asked for; the upstream of an earlier import is kept. */
export function writeFolder(folder: string, files: Files, isForced: boolean): readonly string[] {
  const isThere = (name: string) => existsSync(join(folder, name))
  const shared = [...files.keys()].filter(
    name => name === 'upstream.yaml' || !/\.ya?ml$/.test(name),
  )
  const taken = [...files.keys()].filter(name => isThere(name) && !shared.includes(name))
  if (taken.length > 0 && !isForced) {
    throw new ImportError(
      `${join(folder, taken[0] ?? '')} is there already${taken.length > 1 ? `, and ${taken.length - 1} more` : ''}. ` +
        'Nothing was written: use another --out, choose with --only, or say --force to write over them',
    )
  }
  const kept = isForced ? [] : shared.filter(isThere)
  try {
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of files) {
      if (!kept.includes(name)) writeFileSync(join(folder, name), text)
    }
  } catch (error) {
    throw new ImportError(
      `${folder} cannot be written: ${(error as Error).message}. Use another --out`,
    )
  }
  return kept
}

function renderUpstream({ id, title, from, connection, cards }: FolderOptions): string {
  const prefix = variablePrefix(id)
  const needy = cards.filter(({ draft }) => draft.needsCredential)
  const credential = {
    env: [`${prefix}_TOKEN`],
    ...(needy.length < cards.length ? { required: false } : {}),
  }
  const value = {
    id,
    // What stands in ${…} would be filled in from the environment.
    description: title.replaceAll('${', '{'),
    ...(needy.length > 0 || connection.mayNeedCredential ? { credential } : {}),
    [connection.route]: connection.section,
  }
  const head = [`Made by "signalbox import" from ${from}. It is yours now: change what you like.`]
  return toComments([...head, ...connection.notes]) + toYaml(value)
}

function renderCard({ id, offer, draft }: Drafted, from: string): string {
  const card = {
    id,
    version: '1.0.0',
    description: draft.description,
    effect: offer.effect,
    ...draft.more,
    input: draft.input,
    output: draft.output,
    prefer: [draft.route],
    routes: { [draft.route]: draft.section },
  }
  const name =
    offer.name === null || offer.label.endsWith(` ${offer.name}`) ? '' : ` (${offer.name})`
  const head = `Made by "signalbox import" from ${from}: ${offer.label}${name}.`
  return toComments([head, ...draft.notes]) + toYaml(card)
}
