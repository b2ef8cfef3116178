import { isRawNumber } from '../lib/exact-json.ts'
import { countInvisible, withoutInvisible } from '../lib/invisible.ts'
import { valueAt } from '../lib/value-path.ts'
import type { Strangers, TextMark, TextNode } from '../model/texts.ts'

/** How many there were, and where. */
export interface Tally {
  count: number
  readonly paths: Set<string>
}

/** The texts of an answer that were marked, hidden and cleaned. */
export interface TreatedTexts {
  readonly data: unknown
  /** Where text of strangers is. */
  readonly marked: ReadonlySet<string>
  /** Invisible characters that were removed, and that were left. */
  readonly removed: Tally
  readonly left: Tally
  /** Texts with HTML comments. */
  readonly comments: Tally
  /** Texts that were left out. */
  readonly hidden: Tally
}

export interface Treatment {
  readonly strangers: Exclude<Strangers, 'show'>
  readonly mayWrite: (login: string) => boolean
  /** Whether the caller itself has sent this text. */
  readonly isOwn: (text: string) => boolean
  readonly input: unknown
}

/**
 * Marks the texts of strangers, or leaves them out. Returns the same data if nothing in it changes.
 * A text that must come back as it is keeps its invisible characters, and so does that of a known writer.
 */
export function treatTexts(data: unknown, root: TextNode, treatment: Treatment): TreatedTexts {
  const walk = new Walk(treatment)
  const treated = walk.value(data, root, null)
  return { ...walk.found, data: treated }
}

const LEFT_OUT = Symbol('left out')

class Walk {
  readonly #treatment: Treatment
  readonly #conditions = new Map<TextMark, boolean>()
  readonly found = {
    marked: new Set<string>(),
    removed: tally(),
    left: tally(),
    comments: tally(),
    hidden: tally(),
  }

  constructor(treatment: Treatment) {
    this.#treatment = treatment
  }

  /** @param around the object in which the value is */
  value(value: unknown, node: TextNode, around: unknown): unknown {
    const treated = this.#treat(value, node, around)
    if (treated !== LEFT_OUT) return treated
    return node.mark?.allowsNull ? null : ''
  }

  #treat(value: unknown, node: TextNode, around: unknown): unknown {
    if (typeof value === 'string') return node.mark ? this.#text(value, node.mark, around) : value
    if (value === null || typeof value !== 'object' || isRawNumber(value)) return value
    if (Array.isArray(value)) return this.#list(value, node, around)
    return this.#object(value as Readonly<Record<string, unknown>>, node, around)
  }

  #list(list: readonly unknown[], node: TextNode, around: unknown): unknown {
    const inner = node.isOpen ? node : node.items
    if (!inner) return list
    const treated = list.map(item => this.#treat(item, inner, around))
    if (treated.every((item, index) => item === list[index])) return list
    // A list of texts is shorter without those that are left out.
    return treated.filter(item => item !== LEFT_OUT)
  }

  #object(
    object: Readonly<Record<string, unknown>>,
    node: TextNode,
    around: unknown,
  ): Readonly<Record<string, unknown>> {
    const changes: Record<string, unknown> = {}
    for (const [name, inner] of innerNodes(object, node)) {
      const member = object[name]
      if (member === undefined) continue
      const treated = this.value(member, inner, node.isOpen ? around : object)
      if (treated !== member) changes[name] = treated
    }
    return Object.keys(changes).length === 0 ? object : { ...object, ...changes }
  }

  #text(text: string, mark: TextMark, around: unknown): unknown {
    const { strangers, isOwn } = this.#treatment
    if (text === '' || isOwn(text)) return text
    if (strangers === 'mark') return this.#marked(text, mark)
    if (!this.#isByWriter(mark, around)) {
      note(this.found.hidden, mark, 1)
      return LEFT_OUT
    }
    note(this.found.left, mark, countInvisible(text))
    return text
  }

  #marked(text: string, mark: TextMark): string {
    if (!mark.isStated) return text
    const { marked, removed, left, comments } = this.found
    marked.add(mark.path)
    if (text.includes('<!--')) note(comments, mark, 1)
    const clean = withoutInvisible(text)
    note(mark.exact ? left : removed, mark, clean.removed)
    return mark.exact ? text : clean.text
  }

  #isByWriter(mark: TextMark, around: unknown): boolean {
    const { author } = mark
    if (!this.#holds(mark)) return false
    if (author.kind !== 'member') return author.kind === 'writers'
    const login = valueAt(around, author.names.join('.'))
    return typeof login === 'string' && this.#treatment.mayWrite(login)
  }

  /** Whether the author that the mark names holds for this input. */
  #holds(mark: TextMark): boolean {
    if (mark.when === null) return true
    const known = this.#conditions.get(mark)
    if (known !== undefined) return known
    const holds = isTrue(mark.when, this.#treatment.input)
    this.#conditions.set(mark, holds)
    return holds
  }
}

/** The members of an object that may have texts. */
function innerNodes(object: object, node: TextNode): Iterable<readonly [string, TextNode]> {
  const { isOpen, members, others } = node
  if (isOpen) return Object.keys(object).map(name => [name, node] as const)
  if (others === null) return members
  return Object.keys(object).map(name => [name, members.get(name) ?? others] as const)
}

function isTrue(when: NonNullable<TextMark['when']>, input: unknown): boolean {
  try {
    return when({ input }) === true
  } catch {
    return false
  }
}

function tally(): Tally {
  return { count: 0, paths: new Set() }
}

function note(tallied: Tally, { path }: TextMark, count: number): void {
  if (count === 0) return
  tallied.count += count
  tallied.paths.add(path)
}
