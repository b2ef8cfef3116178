import { isObject } from '../../lib/is-object.ts'
import type { JsonSchema } from '../../model/card.ts'
import { NotExpressible } from './errors.ts'
import { fileMembers, fileSchema } from './files-in-body.ts'
import { type InputMembers, readExpression } from './input-members.ts'
import { convertSchema, type SchemaContext } from './json-schema.ts'
import { chooseMedia, type Media } from './media.ts'
import { memberName } from './names.ts'
import { allowsNull } from './nullable.ts'
import { deref, type Json } from './references.ts'
import { allowsObject, queryStyle } from './styles.ts'

/** The keys of the `rest` section that send a body. */
export interface BodySection extends Json {
  readonly headers?: Readonly<Record<string, string>>
  readonly styles?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

interface Placing {
  readonly media: Media
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly members: InputMembers
  readonly context: SchemaContext
}

/** Adds the body to the input. Returns the keys of the `rest` section that send it. */
export function placeBody(
  source: unknown,
  members: InputMembers,
  context: SchemaContext,
): BodySection {
  if (source === undefined) return {}
  const request = deref(context.document, source)
  const content = isObject(request.content) ? request.content : {}
  const media = chooseMedia(content)
  const isRequired = request.required === true
  const types = Object.keys(content)
  if (!media && isRequired) throw new NotExpressible(reasonFor(types))
  if (!media) {
    if (types.length > 0)
      context.notes.add(`The optional body of ${types.join(' or ')} is left out.`)
    return {}
  }
  const schema = convertSchema(media.source.schema, context)
  return PLACERS[media.encoding]({ media, schema, isRequired, members, context })
}

function reasonFor(types: readonly string[]): string {
  if (types.length === 0) return 'has a body without a description'
  return `takes a body of ${types.join(' or ')}, which no card can send`
}

const PLACERS: Readonly<Record<Media['encoding'], (placing: Placing) => BodySection>> = {
  json: placeJson,
  form: placeForm,
  multipart: placeMultipart,
  text: placing => placeWhole(placing, { type: 'string' }),
  binary: placing => placeWhole(placing, { type: 'string', description: 'The bytes, in Base64.' }),
}

function placeJson(placing: Placing): BodySection {
  const { schema, isRequired, members, media } = placing
  const type = media.type === null ? {} : { content_type: media.type }
  if (canSpread(placing)) return { ...spread(placing), ...type }
  const value = readExpression(members.add('body', 'request', schema, isRequired))
  return { body: value, keep_nulls: true, ...type }
}

/** A text or bytes. A media type such as `image/*` leaves the type to the caller. */
function placeWhole({ media, isRequired, members }: Placing, schema: JsonSchema): BodySection {
  const body = readExpression(members.add('body', 'request', schema, isRequired))
  const { encoding, type } = media
  if (type === null || !type.includes('*')) {
    return { encoding, ...(type === null ? {} : { content_type: type }), body }
  }
  const typed = { type: 'string', description: `The media type, such as ${type}.` }
  const member = members.add('contentType', 'request', typed, isRequired)
  return { encoding, body, headers: { 'content-type': readExpression(member) } }
}

function placeForm(placing: Placing): BodySection {
  const { schema, isRequired, members, media } = placing
  const body = canSpread(placing)
    ? spread(placing).body
    : readExpression(members.add('body', 'request', schema, isRequired))
  const styles = Object.entries(propertiesOf(schema)).flatMap(([name, part]) => {
    const style = formStyle(part, media.source, name)
    return style === null ? [] : [[name, style] as const]
  })
  const own = styles.length > 0 ? { styles: { body: Object.fromEntries(styles) } } : {}
  return { encoding: 'form', body, ...own }
}

/** Without a style, an object in a form is JSON (OpenAPI, Encoding Object). */
function formStyle(schema: JsonSchema, { encoding }: Json, name: string): string | null {
  const source = isObject(encoding) && isObject(encoding[name]) ? encoding[name] : {}
  const items = isObject(schema.items) ? (schema.items as JsonSchema) : {}
  const hasObjects = allowsObject(schema) || (schema.items !== undefined && allowsObject(items))
  if (source.style === undefined && source.explode === undefined && hasObjects) return 'json'
  return queryStyle({ source, schema })
}

function placeMultipart(placing: Placing): BodySection {
  const { schema, isRequired, members, media, context } = placing
  const files = fileMembers(media.source.schema, media.source.encoding, context.document)
  const { properties: _, ...others } = schema
  const required = ((schema.required ?? []) as readonly string[]).filter(name => !files.has(name))
  const properties = Object.entries(propertiesOf(schema)).filter(([name]) => !files.has(name))
  const fields = { ...others, type: 'object', required, properties: Object.fromEntries(properties) }
  const sent = [...files].map(([name, file]) => {
    const isNeeded =
      isRequired && (schema.required as readonly string[] | undefined)?.includes(name)
    const member = members.add(name, 'file', fileSchema(file), isNeeded === true)
    return [name, readExpression(member)]
  })
  const section = {
    encoding: 'multipart',
    ...(sent.length > 0 ? { files: Object.fromEntries(sent) } : {}),
  }
  if (properties.length === 0 && sent.length > 0) return section
  const inner = { ...placing, schema: fields }
  if (canSpread(inner)) {
    const entries = properties.map(([name, part]) => {
      const member = members.add(name, 'body', part, isRequired && required.includes(name))
      return [name, readExpression(member)]
    })
    return { ...section, body: Object.fromEntries(entries) }
  }
  const whole = members.add('body', 'request', fields, isRequired)
  return { ...section, body: readExpression(whole) }
}

/** True if the members of the body can be members of the input, which saves callers a level. */
function canSpread({ schema, isRequired, members }: Placing): boolean {
  const names = Object.keys(propertiesOf(schema))
  const isPlain =
    schema.type === 'object' && !['anyOf', 'oneOf', 'allOf', 'not'].some(key => key in schema)
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  // Without the body none of its required members is needed, which the input schema cannot say.
  const isAllOrNothing = !isRequired && ((schema.required ?? []) as readonly string[]).length > 0
  const areFree = names.every(name => memberName(name) === name && !members.has(name))
  return isPlain && !isOpen && !isAllOrNothing && areFree && names.length > 0
}

function spread({ schema, isRequired, members }: Placing): BodySection {
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
