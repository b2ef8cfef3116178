import { isObject } from '../lib/is-object.ts'
import type { SectionCompiler } from '../model/adapter.ts'
import type { Card, JsonSchema } from '../model/card.ts'
import { matchesCard } from '../model/card-pattern.ts'
import type { CardTexts, TextMark, TextNode, TextRule, UpstreamTexts } from '../model/texts.ts'
import type { CardSource } from './schema.ts'
import { allowsNull } from './schema-path.ts'
import { compileUntrusted } from './text-rules.ts'

/** Schemas that contain themselves end here; what is deeper counts as open. */
const DEEPEST = 20

/** Formats that leave no room for words. */
const FORMS = ['date-time', 'date', 'time', 'duration', 'uri', 'uri-reference', 'uuid', 'email']

/** Finds the texts in the answers of a card, and who writes them. @param section of `untrusted` */
export function compileTexts(
  source: CardSource,
  section: SectionCompiler,
  stated: UpstreamTexts | null,
): CardTexts {
  const { id, effect, destructive = false } = source
  const output = source.output as JsonSchema
  const own = compileUntrusted(source, section)
  return findTexts({ id, effect, destructive, output }, own, stated)
}

function findTexts(
  card: Pick<Card, 'id' | 'effect' | 'destructive' | 'output'>,
  own: readonly TextRule[],
  stated: UpstreamTexts | null,
): CardTexts {
  const concerning = (stated?.rules ?? []).filter(
    ({ cards }) => cards === null || cards.some(pattern => matchesCard(pattern, card)),
  )
  const finder = new Finder(card.output, [...own, ...concerning], stated !== null)
  const root = finder.find(card.output, { path: '', names: [], siblings: {}, depth: 0 })
  const { unstated, hasAuthors } = finder
  return { root, isStated: stated !== null || own.length > 0, unstated: [...unstated], hasAuthors }
}

interface Place {
  readonly path: string
  readonly names: readonly string[]
  /** The members of the object in which it is. */
  readonly siblings: Readonly<Record<string, unknown>>
  readonly depth: number
}

const NOTHING: TextNode = {
  mark: null,
  isOpen: false,
  members: new Map(),
  others: null,
  items: null,
}

class Finder {
  readonly #root: JsonSchema
  readonly #rules: readonly TextRule[]
  readonly #isStated: boolean
  readonly unstated = new Set<string>()
  hasAuthors = false

  /** @param isStated whether the upstream says of its texts who wrote them */
  constructor(root: JsonSchema, rules: readonly TextRule[], isStated: boolean) {
    this.#root = root
    this.#rules = rules
    this.#isStated = isStated
  }

  /** Null for a value without texts of strangers. */
  find(given: unknown, place: Place): TextNode | null {
    const schema = this.#resolve(given)
    if (schema === null || place.depth > DEEPEST || isOpen(schema)) {
      return this.#marked({}, place, true)
    }
    const choices = ['anyOf', 'oneOf', 'allOf'].flatMap(key =>
      Array.isArray(schema[key]) ? schema[key] : [],
    )
    const below = choices.map(choice => this.find(choice, { ...place, depth: place.depth + 1 }))
    return [this.#own(schema, place), ...below].reduce(merge, null)
  }

  /** Without the alternatives of the schema. */
  #own(schema: JsonSchema, place: Place): TextNode | null {
    const types = [schema.type].flat()
    const text = types.includes('string') && isFree(schema) ? this.#marked(schema, place) : null
    return merge(text, this.#parts(schema, place))
  }

  #parts(schema: JsonSchema, { path, names, depth }: Place): TextNode | null {
    const properties = isObject(schema.properties) ? schema.properties : {}
    const at = (name: string) => ({
      path: path === '' ? name : `${path}.${name}`,
      names: [...names, name],
      siblings: properties,
      depth: depth + 1,
    })
    const members = new Map<string, TextNode>()
    for (const [name, member] of Object.entries(properties)) {
      const node = this.find(member, at(name))
      if (node) members.set(name, node)
    }
    const { additionalProperties: more, items } = schema
    const others = isObject(more) || more === true ? this.find(more, at('*')) : null
    const list = { path: `${path}[]`, names, siblings: properties, depth: depth + 1 }
    const item = isObject(items) ? this.find(items, list) : null
    return members.size > 0 || others || item ? { ...NOTHING, members, others, items: item } : null
  }

  #marked(schema: JsonSchema, place: Place, open = false): TextNode | null {
    const rule = this.#rules.find(({ members }) => members.some(names => endsWith(place, names)))
    if (!rule) this.unstated.add(place.path)
    const mark = markOf(rule, schema, place, this.#isStated)
    if (mark?.author.kind === 'member') this.hasAuthors = true
    return mark && { ...NOTHING, mark, isOpen: open }
  }

  /** A reference within the card's own schema; null if it leads nowhere. */
  #resolve(schema: unknown): JsonSchema | null {
    if (!isObject(schema)) return null
    const { $ref: ref } = schema
    if (typeof ref !== 'string') return schema
    const names = ref.replace(/^#\//, '').split('/')
    const found = names.reduce<unknown>(
      (at, name) => (isObject(at) ? at[name] : undefined),
      this.#root,
    )
    return isObject(found) && found !== schema ? found : null
  }
}

/** Null for a text of the service's own. Without a rule, anybody may have written it. */
function markOf(
  rule: TextRule | undefined,
  schema: JsonSchema,
  { path, siblings }: Place,
  isStated: boolean,
): TextMark | null {
  const { author = { kind: 'anyone' }, when = null, exact = false } = rule ?? {}
  if (author.kind === 'service') return null
  const hasAuthor = author.kind !== 'member' || Object.hasOwn(siblings, author.names[0] ?? '')
  return {
    path,
    author: hasAuthor ? author : { kind: 'anyone' },
    when,
    exact,
    isStated: isStated || rule !== undefined,
    allowsNull: allowsNull(schema),
  }
}

function endsWith({ names }: Place, end: readonly string[]): boolean {
  // The values of a map belong to the member that holds the map.
  const own = names.at(-1) === '*' && end.at(-1) !== '*' ? names.slice(0, -1) : names
  const from = own.length - end.length
  return from >= 0 && end.every((name, index) => own[from + index] === name)
}

/** Anything could be there. */
function isOpen(schema: JsonSchema): boolean {
  const { type, properties, additionalProperties } = schema
  if (['enum', 'const', 'anyOf', 'oneOf', 'allOf'].some(key => key in schema)) return false
  if (type === undefined) return properties === undefined
  const isBare = properties === undefined && [type].flat().includes('object')
  return isBare && (additionalProperties === undefined || additionalProperties === true)
}

function isFree({ enum: values, const: value, format }: JsonSchema): boolean {
  return values === undefined && value === undefined && !FORMS.includes(String(format))
}

/** The marks of both: a value may have the form of either. */
function merge(one: TextNode | null, other: TextNode | null): TextNode | null {
  if (one === null || other === null) return one ?? other
  const members = new Map(one.members)
  for (const [name, node] of other.members) {
    const both = merge(members.get(name) ?? null, node)
    if (both) members.set(name, both)
  }
  return {
    mark: one.mark ?? other.mark,
    isOpen: one.isOpen || other.isOpen,
    members,
    others: merge(one.others, other.others),
    items: merge(one.items, other.items),
  }
}
