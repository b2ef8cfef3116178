import { applyFields } from '../../cards/fields.ts'
import { shorten } from '../../lib/text.ts'
import { replaceAt, valueAt } from '../../lib/value-path.ts'
import { encodeCursor } from '../../model/cursor.ts'
import type { Answer, Envelope } from '../../model/envelope.ts'
import { withWarnings } from '../../model/envelope.ts'
import type { Selection, Subject } from '../../model/subject.ts'
import type { Warning } from '../../model/warnings.ts'
import type { Drop } from './drop.ts'
import { rankItems } from './rank.ts'
import { leastSize, longestText, shortenTexts, type TextCuts } from './texts.ts'
import { dropWarning, type View } from './view.ts'

type Success = Extract<Envelope, { ok: true }>

/** How much to keep: the number of items, and the length of texts. Null keeps all. */
export interface Cut {
  readonly items: number | null
  readonly longest: number | null
}

/** Makes smaller views of a successful answer. The answer itself stays unchanged. */
export class Cuttable {
  readonly #envelope: Success
  readonly #status: number
  readonly #subject: Subject
  readonly #selection: Selection
  readonly #warnings: readonly Warning[]
  /** Best first if the card ranks them; null when there is no list to cut. */
  readonly #items: readonly unknown[] | null

  constructor(
    envelope: Success,
    { status, subject }: Required<Pick<Answer, 'status' | 'subject'>>,
    selection: Selection,
    warnings: readonly Warning[],
  ) {
    this.#envelope = envelope
    this.#status = status
    this.#subject = subject
    this.#selection = selection
    this.#warnings = [...envelope.meta.warnings, ...warnings]
    this.#items = this.#findItems()
  }

  /** How many items the list has. */
  get length(): number {
    return this.#items?.length ?? 0
  }

  /** The smallest numbers of items to try. A page keeps one item, or its cursor would point to its own beginning. */
  get fewest(): readonly (number | null)[] {
    const one = this.length > 1 ? 1 : null
    return this.length === 0 || this.#cursor(1) !== undefined ? [one] : [one, 0]
  }

  /** The length of the longest text in the first `items` items. */
  longestText(items: number | null): number {
    const data = applyFields(this.#shown(items), this.#selection)
    const warnings = this.#warnings.map(({ message }) => message.length)
    return Math.max(longestText(data, this.#schema), ...warnings)
  }

  /** The characters that a view with the first `items` items has at least; stops counting at `most`. */
  leastSize(items: number | null, most: number): number {
    return leastSize(applyFields(this.#shown(items), this.#selection), most)
  }

  view({ items, longest }: Cut): View {
    const shown = this.#shown(items)
    const cuts: TextCuts = new Map()
    const selected = applyFields(shown, this.#selection)
    const data = longest === null ? selected : shortenTexts(selected, this.#schema, longest, cuts)
    const { warnings, cut } = this.#shortWarnings(longest)
    const dropped = [
      ...(items === null ? [] : [this.#droppedItems(items)]),
      ...[...cuts].map(([path, count]) => this.#droppedText(path, count)),
      ...cut,
    ]
    const { meta } = this.#envelope
    const envelope: Success = { ...this.#envelope, data, meta: { ...meta, warnings } }
    return {
      envelope: withWarnings(envelope, dropped.map(dropWarning)),
      status: this.#status,
      shown,
      dropped,
      truncated: dropped.length > 0,
      bare: false,
    }
  }

  get #schema() {
    return this.#subject.card?.output ?? 'any'
  }

  #findItems(): readonly unknown[] | null {
    const list = this.#subject.card?.list
    if (!list) return null
    const items = valueAt(this.#envelope.data, list.path)
    // Cutting a list that the caller did not select saves nothing.
    const selected = valueAt(applyFields(this.#envelope.data, this.#selection), list.path)
    return Array.isArray(items) && Array.isArray(selected) ? rankItems(items, list.rank) : null
  }

  /** The data with the first `items` items of the list. A page then ends after them. */
  #shown(items: number | null): unknown {
    const { data } = this.#envelope
    const path = this.#subject.card?.list?.path
    if (items === null || path === undefined) return data
    const cut = replaceAt(data, path, this.#items?.slice(0, items))
    const cursor = this.#cursor(items)
    if (cursor === undefined) return cut
    return replaceAt(cut, 'pageInfo', {
      ...(valueAt(data, 'pageInfo') as object),
      hasNextPage: true,
      endCursor: cursor,
    })
  }

  /** Continues after `items` items of this page. Works on every route, and with another page size or budget. */
  #cursor(items: number): string | undefined {
    const { page } = this.#subject
    const { data, meta } = this.#envelope
    if (!page || !meta.route_used || !valueAt(data, 'pageInfo')) return undefined
    return encodeCursor({ ...page, route: meta.route_used, skip: page.skip + items })
  }

  #droppedItems(items: number): Drop {
    const { path } = this.#subject.card?.list ?? { path: '' }
    const cursor = this.#cursor(items)
    const count = this.length - items
    const omitted = `${count} of ${this.length} left out.`
    const drop = { path, kind: path.split('.').at(-1) ?? path, count }
    return cursor === undefined
      ? { ...drop, note: `${omitted} ${this.#recovery('All of them')}` }
      : { ...drop, note: `${omitted} Continue with this cursor as "${this.#cursorName}".`, cursor }
  }

  #droppedText(path: string, count: number): Drop {
    const note = `Shortened. ${this.#recovery('In full')}`
    return { path, kind: 'characters', count, note }
  }

  #recovery(what: string): string {
    return this.#subject.card?.effect === 'read'
      ? `${what}: profile=default without token_budget.`
      : 'The change is made; do not send it again to see this.'
  }

  get #cursorName(): string {
    return this.#subject.card?.page?.cursor ?? 'after'
  }

  #shortWarnings(longest: number | null): { warnings: readonly Warning[]; cut: readonly Drop[] } {
    if (longest === null || this.#warnings.every(({ message }) => message.length <= longest)) {
      return { warnings: this.#warnings, cut: [] }
    }
    const warnings = this.#warnings.map(warning => ({
      ...warning,
      message: shorten(warning.message, longest),
    }))
    const count = lengthOf(this.#warnings) - lengthOf(warnings)
    const note = `The journal has them in full, as request ${this.#envelope.meta.request_id}.`
    return { warnings, cut: [{ path: 'warnings', kind: 'characters', count, note }] }
  }
}

function lengthOf(warnings: readonly Warning[]): number {
  return warnings.reduce((sum, { message }) => sum + message.length, 0)
}
