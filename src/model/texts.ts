import type { CardPattern } from './card-pattern.ts'
import type { Expression } from './expression.ts'

/** How a gateway key wants the words of strangers: as they are, marked, or left out. */
export const STRANGERS = ['show', 'mark', 'hide'] as const
export type Strangers = (typeof STRANGERS)[number]

/** The author of a text. */
export type TextAuthor =
  /** The service: a name, an id, a word of a fixed set. */
  | { readonly kind: 'service' }
  /** The user whose login is at this path, beside the text. */
  | { readonly kind: 'member'; readonly names: readonly string[] }
  /** People who may write to the place of the call, such as a repository. */
  | { readonly kind: 'writers' }
  | { readonly kind: 'anyone' }

/** The author of some texts, as a card or its upstream states it. */
export interface TextRule {
  readonly author: TextAuthor
  /** Ends of paths, without the marks of lists: `milestone.title` → `['milestone', 'title']`. */
  readonly members: readonly (readonly string[])[]
  /** The cards that it is about; null: all. */
  readonly cards: readonly CardPattern[] | null
  /** Says whether `author` holds for an input; anybody may have written the text otherwise. Null: always. */
  readonly when: Expression | null
  /** The text may be sent back as it came, so nothing is removed from it. */
  readonly exact: boolean
}

/** The way to find out who may write to the place of a call. */
export interface Writers {
  readonly capability: string
  /** Its input; null if the call has no such place. */
  readonly input: Expression
  /** Their logins, in a page of its answer. */
  readonly logins: Expression
}

/** The authors that an upstream states for the texts in its answers. */
export interface UpstreamTexts {
  /** The first that names a text decides. */
  readonly rules: readonly TextRule[]
  readonly writers: Writers | null
}

/** A text of an answer that a stranger may have written. */
export interface TextMark extends Pick<TextRule, 'when' | 'exact'> {
  /** Its place in data, such as `items[].body`. */
  readonly path: string
  readonly author: TextAuthor
  /** Whether the card or its upstream says anything of its texts. */
  readonly isStated: boolean
  readonly allowsNull: boolean
}

/** The marks of a value and of its parts. */
export interface TextNode {
  readonly mark: TextMark | null
  /** The mark holds for each text at any depth, because the schema leaves open what is there. */
  readonly isOpen: boolean
  readonly members: ReadonlyMap<string, TextNode>
  /** For the members that the schema does not name. */
  readonly others: TextNode | null
  readonly items: TextNode | null
}

/** The texts in the answers of a card. */
export interface CardTexts {
  /** Null when all are the service's own. */
  readonly root: TextNode | null
  /** Whether the upstream says who writes them. Otherwise all are taken for those of anybody. */
  readonly isStated: boolean
  /** Texts of which the upstream does not say it. */
  readonly unstated: readonly string[]
  /** Whether some are of users whose access can be asked for. */
  readonly hasAuthors: boolean
}

/** The places of these that have a text in `data`: a selection or a budget may have left the others out. */
export function placesWithText(paths: readonly string[], data: unknown): readonly string[] {
  return paths.filter(path => hasText(data, path === '' ? [] : path.split('.')))
}

/** Whether a sentence repeats the beginning of a text in these places. */
export function repeatsText(sentence: string, paths: readonly string[], data: unknown): boolean {
  const isRepeated = (text: string) => {
    const beginning = text.trim().slice(0, REPEATED)
    return beginning !== '' && sentence.includes(beginning)
  }
  return paths.some(path => hasText(data, path === '' ? [] : path.split('.'), isRepeated))
}

/** A sentence may cut a text off after so many characters. */
const REPEATED = 20

type TextTest = (text: string) => boolean

function hasText(
  value: unknown,
  [name, ...rest]: readonly string[],
  test: TextTest = () => true,
): boolean {
  if (name === undefined) return holdsText(value, test)
  if (Array.isArray(value)) return value.some(item => hasText(item, [name, ...rest], test))
  if (value === null || typeof value !== 'object') return false
  if (name === '*') return Object.values(value).some(member => hasText(member, rest, test))
  const own = name.replaceAll('[]', '')
  if (own === '') return hasText(value, rest, test)
  if (!Object.hasOwn(value, own)) return false
  return hasText((value as Readonly<Record<string, unknown>>)[own], rest, test)
}

function holdsText(value: unknown, test: TextTest): boolean {
  if (typeof value === 'string') return value !== '' && test(value)
  if (value === null || typeof value !== 'object') return false
  return Object.values(value).some(member => holdsText(member, test))
}
