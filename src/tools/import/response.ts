import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { NotExpressible } from './errors.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { nullable } from './nullable.ts'
import { deref, type Json, objectMembers } from './references.ts'

/** The part of a card that deals with the answer to an operation. */
export interface Answer {
  readonly output: JsonSchema
  /** Keys of the `rest` section: `result`, and how to read the answer. */
  readonly section: Json
  /** The member of `data` that is a list; null without one. */
  readonly list: string | null
}

/** Reads the answer on success: the lowest 2xx with a body, or else an answer without a body. */
export function readAnswer(responses: unknown, method: string, context: SchemaContext): Answer {
  const answers = successesOf(responses).map(([status, value]) => ({
    status,
    ...contentOf(value, context),
  }))
  if (method !== 'GET' && answers[0]?.status === '202') context.notes.add(ACCEPTED)
  const withBody = answers.find(({ types }) => types.length > 0)
  if (method === 'HEAD' || !withBody) return DONE
  const { content, types, status } = withBody
  const json = types.find(type => /^(application\/([\w.-]+\+)?json|\*\/\*)\s*(;|$)/i.test(type))
  if (json === undefined) return otherAnswer(types)
  // The gateway itself accepts an empty answer to a change.
  const mayBeEmpty =
    method === 'GET' && answers.some(one => one.types.length === 0 && one.status !== 'default')
  const answer = jsonAnswer(content[json], status, method, context)
  return mayBeEmpty ? orEmpty(answer) : answer
}

/** A document does not say in a form that programs read where the work can be seen later. */
const ACCEPTED =
  'The service answers 202: it may do the work later. With poll, the gateway waits for it: see docs/cards.md#jobs.'

/** Accepts an answer without a body too, whose expression `body` is null. */
function orEmpty({ output, section, list }: Answer): Answer {
  if (section.result === 'body') {
    const { required: _, ...open } = output
    return { output: open, section: { ...section, result: 'body || `{}`' }, list }
  }
  if (list !== null)
    return { output, section: { ...section, result: `{${list}: body || \`[]\`}` }, list }
  const { value } = output.properties as { readonly value: JsonSchema }
  return { output: closedObject({ value: nullable(value) }), section, list }
}

function successesOf(responses: unknown): [string, Json][] {
  const members = objectMembers(responses)
  const successes = members
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return successes.length > 0 ? successes : members.filter(([status]) => status === 'default')
}

const DONE: Answer = {
  output: closedObject({ done: { type: 'boolean' } }),
  section: { parse: 'none', result: '{done: `true`}' },
  list: null,
}

function contentOf(value: Json, { document }: SchemaContext) {
  const { content } = deref(document, value)
  return isObject(content) ? { content, types: Object.keys(content) } : { content: {}, types: [] }
}

function jsonAnswer(
  media: unknown,
  status: string,
  method: string,
  context: SchemaContext,
): Answer {
  const schema = convertSchema(isObject(media) ? media.schema : undefined, context)
  const accept = status === '202' && method === 'GET' ? { accept: [202] } : {}
  if (isObjectSchema(schema)) {
    // Allow members that a later version of the service may add.
    const output = { type: 'object', additionalProperties: true, ...schema }
    return { output, section: { ...accept, result: 'body' }, list: null }
  }
  const isList = schema.type === 'array'
  const name = isList ? 'items' : 'value'
  return {
    output: closedObject({ [name]: schema }),
    section: { ...accept, result: `{${name}: body}` },
    list: isList ? name : null,
  }
}

const TEXT: JsonSchema = { type: 'string' }
const ROWS: JsonSchema = { type: 'array', items: { type: 'object' } }
const FILE: JsonSchema = {
  type: 'object',
  required: ['base64'],
  properties: {
    base64: { type: 'string', description: 'The bytes in Base64.' },
    media_type: { type: ['string', 'null'] },
    size: { type: 'integer' },
  },
}

/** How a card reads answers that are no JSON: the best first. */
const KINDS: readonly (readonly [RegExp, string, string, JsonSchema])[] = [
  [/^application\/(x-ndjson|jsonl|x-jsonlines|jsonlines)$/, 'ndjson', 'items', { type: 'array' }],
  [/^text\/csv$/, 'csv', 'items', ROWS],
  [/^(application|text)\/([\w.-]+\+)?xml$/, 'xml', 'value', {}],
  [/^text\/event-stream$/, 'sse', 'items', { type: 'array' }],
  [
    /^(text\/[\w.+*-]+|application\/(yaml|x-yaml|text|javascript|graphql|jwt))$/,
    'text',
    'text',
    TEXT,
  ],
  // A name that is no media type, such as `PDF`, says no more than that.
  [/^[\w.+*/-]+$/, 'binary', 'file', FILE],
]

function otherAnswer(types: readonly string[]): Answer {
  const essences = types.map(name => (name.split(';', 1)[0] ?? '').trim().toLowerCase())
  for (const [pattern, parse, name, schema] of KINDS) {
    const type = essences.find(essence => pattern.test(essence))
    if (type === undefined) continue
    const isType = type.includes('/') && !type.includes('*')
    const accept = isType ? { headers: { accept: `'${type}'` } } : {}
    return {
      output: closedObject({ [name]: schema }),
      section: { ...accept, parse, result: `{${name}: body}` },
      list: name === 'items' ? name : null,
    }
  }
  throw new NotExpressible(`answers with ${types.join(' or ')}, which no card can read`)
}

/** True if every value of the schema is an object, whichever alternative it fits. */
function isObjectSchema({ type, anyOf, oneOf, allOf }: JsonSchema): boolean {
  if (type !== undefined) return type === 'object'
  const parts = [anyOf, oneOf].find(Array.isArray) as readonly JsonSchema[] | undefined
  if (parts) return parts.every(isObjectSchema)
  return Array.isArray(allOf) && allOf.some(part => isObjectSchema(part as JsonSchema))
}

function closedObject(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  }
}
