import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { isObject } from '../lib/is-object.ts'
import { pointerKeys } from '../lib/json-pointer.ts'
import { messageOf } from '../lib/message-of.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { JsonSchema } from '../model/card.ts'
import { createAjv } from './ajv.ts'
import { likelyMembers } from './likely-members.ts'
import { describeFault } from './schema-fault.ts'

// Nothing runs the compiled code, so optimizing it is wasted work.
const strict = createAjv({ strict: true, strictRequired: false, code: { optimize: false } })

/**
 * Finds the faults that make a schema unusable, such as an unknown keyword. A thorough check finds keywords without effect
 * too, but takes as long as compiling: seconds for a thousand cards.
 * @throws when the schema has a fault.
 */
export function checkSchema(schema: JsonSchema, isThorough: boolean): void {
  if (isThorough || hasReferences(schema) || !hasUsableKeywords(schema)) strict.compile(schema)
}

export interface SchemaProblem {
  /** Where in the schema the fault is. */
  readonly path: KeyPath
  readonly message: string
  readonly fix: string
}

/** The fault that makes a schema unusable, at the place where its author can mend it; null when it has none. */
export function schemaProblem(schema: JsonSchema, isThorough: boolean): SchemaProblem | null {
  try {
    checkSchema(schema, isThorough)
    return null
  } catch (error) {
    return misplacedValue(schema) ?? unknownKeyword(schema, messageOf(error))
  }
}

/** A keyword with a value that it does not take, such as `type: text`. */
function misplacedValue(schema: JsonSchema): SchemaProblem | null {
  explaining ??= createAjv({ strict: false, allErrors: true, verbose: true })
  if ('$schema' in schema || explaining.validateSchema(schema) === true) return null
  // A fault inside a choice makes the schemas around it fail too.
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  const [error] = [...(explaining.errors ?? [])].toSorted((a, b) => depthOf(b) - depthOf(a))
  const [fault] = error ? describeFault(error) : []
  if (!error || !fault) return null
  return {
    path: pointerKeys(error.instancePath),
    message: fault.message,
    fix: 'Correct the value: JSON Schema allows no other.',
  }
}

let explaining: ReturnType<typeof createAjv> | null = null

function unknownKeyword(schema: JsonSchema, message: string): SchemaProblem {
  const keyword = /unknown keyword: "([^"]+)"/.exec(message)?.[1]
  const path = keyword === undefined ? null : pathOf(schema, keyword)
  if (keyword === undefined || path === null) {
    const fix = 'Correct the keyword; a keyword without effect is refused.'
    return { path: [], message: `is not a usable JSON Schema: ${message}`, fix }
  }
  const [likely] = likelyMembers(keyword, { names: knownKeywords(), ...NOTHING_GIVEN })
  const instead = likely === undefined ? 'Remove it' : `Write ${likely}, or remove it`
  return {
    path,
    message: 'is no keyword of JSON Schema that Signalbox knows',
    fix: `${instead}: a keyword without effect is refused.`,
  }
}

const NOTHING_GIVEN = { required: [], given: [], upstreamNames: new Map<string, string>() }

function pathOf(value: unknown, key: string): KeyPath | null {
  if (!isObject(value) && !Array.isArray(value)) return null
  if (Object.hasOwn(value, key)) return [key]
  for (const [name, inner] of Object.entries(value)) {
    const path = pathOf(inner, key)
    if (path !== null) return [name, ...path]
  }
  return null
}

/** Only the compiler knows whether there is something under the name. */
function hasReferences(schema: JsonSchema): boolean {
  return /"\$(?:ref|id|schema)":/.test(JSON.stringify(schema))
}

let usableKeywords: ValidateFunction | null = null

function hasUsableKeywords(schema: JsonSchema): boolean {
  usableKeywords ??= createAjv({ strict: false }).compile(closedMetaSchema())
  return usableKeywords(schema) === true
}

const META_SCHEMA = 'http://json-schema.org/draft-07/schema'
/** Keywords that a validator ignores. */
const ANNOTATIONS = ['$schema', '$comment', 'title', 'description', 'default', 'examples']

/** The meta-schema, closed to the keywords and formats that the compiler refuses. */
function closedMetaSchema(): AnySchemaObject {
  const meta = structuredClone(strict.getSchema(META_SCHEMA)?.schema) as AnySchemaObject
  const format = { enum: Object.keys(strict.formats) }
  return {
    ...meta,
    $id: 'schema-of-a-card',
    properties: { ...(meta.properties as object), format },
    propertyNames: { enum: knownKeywords() },
    dependencies: { nullable: ['type'] },
  }
}

function knownKeywords(): string[] {
  const { all, keywords } = strict.RULES
  return [...new Set([...Object.keys(all), ...Object.keys(keywords), ...ANNOTATIONS])]
}
