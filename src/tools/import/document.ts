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
import { ImportError } from './errors.ts'
import { readGraphql } from './graphql.ts'
import { readOpenApi } from './openapi.ts'
import type { Json } from './references.ts'
import type { Service } from './service.ts'
import { convertSwagger } from './swagger.ts'

const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** Reads a document of any supported kind. */
export function readService(file: string): Service {
  const text = readText(file)
  if (/\.(graphqls?|gql)$/.test(file)) return readSdl(file, text)
  const value = parseText(file, text)
  if (!isObject(value)) throw unknownKind(file)
  const introspection = isObject(value.data) ? value.data : value
  if (isObject(introspection.__schema)) return readIntrospection(file, introspection)
  return readDescription(file, value)
}

function readDescription(file: string, document: Json): Service {
  const version = versionLabel(document.openapi)
  const old = versionLabel(document.swagger ?? document.swaggerVersion)
  if (/^3\b/.test(version)) return readOpenApi(document)
  if (/^2\b/.test(old)) return readOpenApi(convertSwagger(document))
  if (version === '' && old === '') throw unknownKind(file)
  const label = version === '' ? `Swagger ${old}` : `OpenAPI ${version}`
  throw new ImportError(
    `${file} is ${label}, and import reads OpenAPI 3.0 and 3.1, and Swagger 2.0, only`,
  )
}

function readSdl(file: string, sdl: string): Service {
  // Skip validation: published schemas often have small faults.
  const options = { assumeValid: true, assumeValidSDL: true }
  const schema = buildOrThrow(file, () => buildASTSchema(parse(sdl), options))
  return readGraphql(schema, sdl, titleOf(file))
}

function readIntrospection(file: string, introspection: unknown): Service {
  const schema = buildOrThrow(file, () =>
    buildClientSchema(introspection as IntrospectionQuery, { assumeValid: true }),
  )
  return readGraphql(schema, `${printSchema(schema)}\n`, titleOf(file))
}

function buildOrThrow(file: string, build: () => GraphQLSchema): GraphQLSchema {
  try {
    return build()
  } catch (error) {
    const { message, locations } = error as Partial<GraphQLError>
    const line = locations?.[0] ? `:${locations[0].line}` : ''
    throw new ImportError(
      `${file}${line} is not a valid GraphQL schema: ${message?.split('\n')[0]}`,
    )
  }
}

/** The name of the file, because a GraphQL schema has no title. */
function titleOf(file: string): string {
  return basename(file).replace(/\.\w+$/, '')
}

/** A version may also be a YAML number. Empty without one. */
function versionLabel(version: unknown): string {
  return typeof version === 'string' ? version : JSON.stringify(version ?? '').replaceAll('"', '')
}

function readText(file: string): string {
  if (/^https?:/.test(file)) {
    throw new ImportError(
      `${file} is an address, and import fetches nothing: save it and name the file`,
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
  // JSON is YAML too, but the YAML parser is much slower with a large document.
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      // The YAML parser accepts more, and reports the line of a fault.
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

function unknownKind(file: string): ImportError {
  return new ImportError(
    `import cannot read ${basename(file)}. Give it a document of OpenAPI 3.0 or 3.1 or Swagger 2.0 (JSON or YAML), ` +
      'a GraphQL schema (.graphql), or the JSON of an introspection',
  )
}
