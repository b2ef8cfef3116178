import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { type InputMembers, read } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { memberName } from './names.ts'
import { NotExpressible } from './offer.ts'
import { deref, type Json } from './references.ts'

/** The keys of a `rest` section that send the body. */
export function placeBody(source: unknown, members: InputMembers, context: SchemaContext): Json {
  if (source === undefined) return {}
  const request = deref(context.document, source)
  const media = jsonMedia(isObject(request.content) ? request.content : {})
  const schema = convertSchema(media.schema, context)
  const isRequired = request.required === true
  const names = Object.keys(propertiesOf(schema))
  if (!canSpread(schema, names, isRequired, members)) {
    const value = read(members.add('body', 'request', schema, isRequired))
    return { body: value, keep_nulls: true }
  }
  const isAll = members.isEmpty
  const required = (schema.required ?? []) as readonly string[]
  for (const [name, part] of Object.entries(propertiesOf(schema))) {
    members.add(name, 'body', part, isRequired && required.includes(name))
  }
  // A null that a caller gives is sent, and what was not given is left out: only the given members tell.
  const takesNulls = Object.values(propertiesOf(schema)).some(takesNull)
  if (isAll) return { body: 'input', ...(takesNulls ? { keep_nulls: true } : {}) }
  if (takesNulls) {
    const given = names.map(name => `'${name}'`).join(', ')
    return { body: `from_items(items(input)[?contains([${given}], [0])])`, keep_nulls: true }
  }
  return { body: Object.fromEntries(names.map(name => [name, read(name)])) }
}

/** The rest route sends `application/json`, and nothing else. */
function jsonMedia(content: Json): Json {
  const types = Object.keys(content)
  const found = types.find(type =>
    /^(application\/json|\*\/\*|application\/\*)\s*(;|$)/i.test(type),
  )
  const media = found === undefined ? undefined : content[found]
  if (isObject(media)) return media
  throw new NotExpressible(
    types.length === 0
      ? 'has a body that is not described'
      : `takes a body of ${types.join(' or ')}, and a card sends application/json`,
  )
}

/** Whether the members of the body can be members of the input, so that callers need no level more. */
function canSpread(
  schema: JsonSchema,
  names: readonly string[],
  isRequired: boolean,
  members: InputMembers,
): boolean {
  const isPlain =
    schema.type === 'object' && schema.anyOf === undefined && schema.allOf === undefined
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  const isAllOrNothing = !isRequired && schema.required !== undefined
  const areFree = names.every(name => memberName(name) === name && !members.has(name))
  return isPlain && !isOpen && !isAllOrNothing && areFree && names.length > 0
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>
}

function takesNull({ type, anyOf, enum: values }: JsonSchema): boolean {
  if ([type].flat().includes('null') || (Array.isArray(values) && values.includes(null)))
    return true
  return Array.isArray(anyOf) && anyOf.some(part => takesNull(part as JsonSchema))
}
