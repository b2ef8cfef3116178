import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  buildASTSchema,
  buildClientSchema,
  type GraphQLError,
  type GraphQLSchema,
  type IntrospectionQuery,
  parse,
  printSchema,
} from 'graphql'
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import { isObject } from '../../lib/is-object.ts'
import { readGraphql } from './graphql.ts'
import { ImportError, type Service } from './offer.ts'
import { readOpenApi } from './openapi.ts'

const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** Reads what a file describes, whatever its form. */
export function readService(file: string): Service {
  const text = readText(file)
  if (/\.(graphqls?|gql)$/.test(file)) return readSdl(file, text)
  const value = parseText(file, text)
  if (!isObject(value)) throw notKnown(file)
  const introspection = isObject(value.data) ? value.data : value
  if (isObject(introspection.__schema)) return readIntrospection(file, introspection)
  if (/^3\b/.test(labelOf(value.openapi))) return readOpenApi(value)
  if (value.swagger !== undefined) {
    throw new ImportError(
      `${file} is Swagger ${labelOf(value.swagger)}; only OpenAPI 3 is read. Convert it, e.g. with "npx swagger2openapi"`,
    )
  }
  if (value.openapi !== undefined) {
    throw new ImportError(`${file} is OpenAPI ${labelOf(value.openapi)}; 3.0 and 3.1 are read`)
  }
  throw notKnown(file)
}

function readSdl(file: string, sdl: string): Service {
  // The schemas that services publish have small faults of their own.
  const options = { assumeValid: true, assumeValidSDL: true }
  const schema = orFault(file, () => buildASTSchema(parse(sdl), options))
  return readGraphql(schema, sdl, titleOf(file))
}

function readIntrospection(file: string, introspection: unknown): Service {
  const schema = orFault(file, () =>
    buildClientSchema(introspection as IntrospectionQuery, { assumeValid: true }),
  )
  return readGraphql(schema, `${printSchema(schema)}\n`, titleOf(file))
}

function orFault(file: string, build: () => GraphQLSchema): GraphQLSchema {
  try {
    return build()
  } catch (error) {
    const { message, locations } = error as Partial<GraphQLError>
    const line = locations?.[0] ? `:${locations[0].line}` : ''
    throw new ImportError(`${file}${line} is no GraphQL schema: ${message?.split('\n')[0]}`)
  }
}

/** A schema has no title; its file has a name. */
function titleOf(file: string): string {
  return basename(file).replace(/\.\w+$/, '')
}

/** A version may be written as a number, too. */
function labelOf(version: unknown): string {
  return typeof version === 'string' ? version : String(JSON.stringify(version))
}

function readText(file: string): string {
  if (/^https?:/.test(file)) {
    throw new ImportError(
      `${file} is an address, and nothing is fetched: save it, and name the file`,
    )
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read: ${message}`
    throw new ImportError(`${file} ${why}. Name an OpenAPI document or a GraphQL schema on disk`)
  }
}

function parseText(file: string, text: string): unknown {
  // JSON is YAML too, but reading a large document as that takes much longer.
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // YAML's reader tells the line, and takes what JSON's does not.
    }
  }
  try {
    return load(text, { schema: SCHEMA })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = error.mark ? `:${error.mark.line + 1}` : ''
    throw new ImportError(`${file}${line} is neither JSON nor YAML: ${error.reason}`)
  }
}

function notKnown(file: string): ImportError {
  return new ImportError(
    `${basename(file)} is not a document that can be imported. Give it an OpenAPI 3.0 or 3.1 document ` +
      '(JSON or YAML), a GraphQL schema (.graphql), or the JSON of an introspection',
  )
}
