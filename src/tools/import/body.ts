import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { NotExpressible } from './errors.ts'
import { type InputMembers, readExpression } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { memberName } from './names.ts'
import { allowsNull } from './nullable.ts'
import { deref, type Json } from './references.ts'

/** Adds the body to the input. Returns the keys of the `rest` section that send it. */
export function placeBody(source: unknown, members: InputMembers, context: SchemaContext): Json {
  if (source === undefined) return {}
  const request = deref(context.document, source)
  const media = jsonMedia(isObject(request.content) ? request.content : {})
  const schema = convertSchema(media.schema, context)
  const isRequired = request.required === true
  if (!canSpread(schema, isRequired, members)) {
    const value = readExpression(members.add('body', 'request', schema, isRequired))
    return { body: value, keep_nulls: true }
  }
  return spread(schema, isRequired, members)
}

/** The rest route sends `application/json` only. */
function jsonMedia(content: Json): Json {
  const types = Object.keys(content)
  const found = types.find(type =>
    /^(application\/json|\*\/\*|application\/\*)\s*(;|$)/i.test(type),
  )
  const media = found === undefined ? undefined : content[found]
  if (isObject(media)) return media
  throw new NotExpressible(
    types.length === 0
      ? 'has a body without a description'
      : `takes a body of ${types.join(' or ')}, and a card sends application/json`,
  )
}

/** True if the members of the body can be members of the input, which saves callers a level. */
function canSpread(schema: JsonSchema, isRequired: boolean, members: InputMembers): boolean {
  const names = Object.keys(propertiesOf(schema))
  const isPlain =
    schema.type === 'object' && !['anyOf', 'oneOf', 'allOf', 'not'].some(key => key in schema)
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  // Without the body none of its required members is needed, which the input schema cannot say.
  const isAllOrNothing = !isRequired && schema.required !== undefined
  const areFree = names.every(name => memberName(name) === name && !members.has(name))
  return isPlain && !isOpen && !isAllOrNothing && areFree && names.length > 0
}

function spread(schema: JsonSchema, isRequired: boolean, members: InputMembers): Json {
  const isWholeInput = members.isEmpty
  const properties = propertiesOf(schema)
  const names = Object.keys(properties)
  const required = (schema.required ?? []) as readonly string[]
  for (const [name, part] of Object.entries(properties)) {
    members.add(name, 'body', part, isRequired && required.includes(name))
  }
  const takesNulls = Object.values(properties).some(allowsNull)
  if (isWholeInput) return { body: 'input', ...(takesNulls ? { keep_nulls: true } : {}) }
  if (takesNulls) {
    // Pick the given members: send a null that the caller gave, but not one for a missing member.
    const given = names.map(name => `'${name}'`).join(', ')
    return { body: `from_items(items(input)[?contains([${given}], [0])])`, keep_nulls: true }
  }
  return { body: Object.fromEntries(names.map(name => [name, readExpression(name)])) }
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema.properties ?? {}) as Record<string, JsonSchema>
}
