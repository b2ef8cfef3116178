import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { NotExpressible } from './offer.ts'
import { deref, type Json, membersOf } from './references.ts'

/** What the answer to an operation becomes. */
export interface Answer {
  readonly output: JsonSchema
  /** Keys of the `rest` section: `result`, and how the answer is read. */
  readonly section: Json
  /** The member of `data` that is a list, where the answer is one. */
  readonly list: string | null
}

/** Reads the answer of success: the lowest 2xx that has a body, else one without. */
export function readAnswer(responses: unknown, method: string, context: SchemaContext): Answer {
  const successes = membersOf(responses)
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const others = membersOf(responses).filter(([status]) => status === 'default')
  const candidates = successes.length > 0 ? successes : others
  const answers = candidates.map(([status, value]) => ({ status, ...contentOf(value, context) }))
  const withBody = answers.find(({ types }) => types.length > 0)
  if (method === 'HEAD' || !withBody) return DONE
  if (answers.some(({ types, status }) => types.length === 0 && status !== 'default')) {
    context.notes.add('It may also answer without a body, which this output does not allow.')
  }
  const json = withBody.types.find(type =>
    /^(application\/([\w.-]+\+)?json|\*\/\*)\s*(;|$)/i.test(type),
  )
  if (json !== undefined)
    return jsonAnswer(withBody.content[json], withBody.status, method, context)
  const text = withBody.types
    .map(type => type.split(';', 1)[0]?.trim() ?? '')
    .find(type => /^text\/(?!event-stream)[\w.+-]+$/i.test(type))
  if (text === undefined) {
    throw new NotExpressible(
      `answers with ${withBody.types.join(' or ')}, which is no JSON and no text`,
    )
  }
  return {
    output: closed({ text: { type: 'string' } }),
    section: { headers: { accept: `'${text}'` }, parse: 'text', result: '{text: body}' },
    list: null,
  }
}

const DONE: Answer = {
  output: closed({ done: { type: 'boolean' } }),
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
    // A service may come to tell more than it says today; what it says has to be there.
    const output = { type: 'object', additionalProperties: true, ...schema }
    return { output, section: { ...accept, result: 'body' }, list: null }
  }
  const list = schema.type === 'array'
  const name = list ? 'items' : 'value'
  return {
    output: closed({ [name]: schema }),
    section: { ...accept, result: `{${name}: body}` },
    list: list ? name : null,
  }
}

/** Alternatives of objects are one, too. */
function isObjectSchema({ type, anyOf }: JsonSchema): boolean {
  if (type !== undefined || !Array.isArray(anyOf)) return type === 'object'
  return anyOf.every(part => (part as JsonSchema).type === 'object')
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
  }
}
