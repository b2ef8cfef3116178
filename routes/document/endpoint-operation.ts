import { isObject } from '../../src/lib/is-object.ts'
import { exampleOf } from '../../src/lib/schema-example.ts'
import { contentOfFailures, JSON_TYPE, REF_TO_META } from './answers.ts'
import type { Described } from './dialect.ts'
import { ENDPOINT_VALUES, exampleMeta } from './examples.ts'
import { type FailureStatus, failuresOf } from './failures.ts'
import { CALL_HEADERS, COMMON_HEADERS, type HeaderName, refsToHeaders } from './headers.ts'

/** An operation as the schemas of the endpoint give it. */
export interface Operation {
  readonly operationId?: string
  readonly description?: string
  readonly summary?: string
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Response>>
}

interface Parameter {
  readonly name: string
  readonly schema: Schema
}

interface Response {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
}

type Schema = Readonly<Record<string, unknown>>

/** Completes the description of an endpoint: its failures, headers and examples. */
export function endpointOperation(
  { path, method }: { readonly path: string; readonly method: string },
  operation: Operation,
  described: Described,
): object {
  const { parameters, requestBody, responses: declared, ...facts } = operation
  const { default: ofProtocol, ...responses } = declared
  const answers = Object.entries(responses).map(([status, response]) => [
    status,
    completeAnswer(response, headersOf(path)),
  ])
  return {
    // An endpoint with several methods has one schema, and an operation for each.
    operationId: `${method}${path.replaceAll('/', '.')}`,
    ...facts,
    ...(parameters === undefined ? {} : { parameters: parameters.map(addExample) }),
    ...(requestBody === undefined ? {} : { requestBody: completeBody(requestBody) }),
    responses: {
      ...(ofProtocol === undefined
        ? failuresAt(path, operation, described)
        : failuresOfProtocol(ofProtocol, described)),
      ...Object.fromEntries(answers),
    },
  }
}

/** A protocol answers its failures itself, but for those of the gateway before it could read a message. */
function failuresOfProtocol(ofProtocol: Response, described: Described) {
  const { [JSON_TYPE]: ours, ...others } = contentOfFailures(described)
  const schemas = [ofProtocol.content?.[JSON_TYPE]?.schema, ours?.schema]
  const failure = {
    ...ofProtocol,
    headers: refsToHeaders(OF_PROTOCOL),
    content: { [JSON_TYPE]: { schema: { anyOf: schemas } }, ...others },
  }
  return { '4XX': failure, '5XX': failure, default: failure }
}

function failuresAt(path: string, { security, requestBody }: Operation, { hasKeys }: Described) {
  return failuresOf({
    hasBody: requestBody !== undefined,
    needsKey: hasKeys && security === undefined,
    others: OTHERS[path] ?? (path.includes('{') ? [404] : []),
  })
}

/** Failures beside those that every endpoint can have. */
const OTHERS: Readonly<Record<string, readonly FailureStatus[]>> = {
  '/v1/capabilities/{id}/explain': [404, 501, 504],
  '/.well-known/oauth-protected-resource': [404],
  '/.well-known/oauth-protected-resource/mcp': [404],
  '/v1/approvals/{approval_id}': [404, 409],
  '/v1/requests/{request_id}/export': [404, 409],
  '/v1/requests/{request_id}/replay': [403, 404, 409],
}

const OF_PROTOCOL = [...CALL_HEADERS, 'WWW-Authenticate', 'Retry-After', 'Mcp-Session-Id'] as const

function headersOf(path: string): readonly HeaderName[] {
  if (path === '/mcp') return [...COMMON_HEADERS, 'Mcp-Session-Id']
  if (path.startsWith('/inspector')) return [...COMMON_HEADERS, 'ETag', 'Cache-Control']
  if (path !== '/v1/hints') return COMMON_HEADERS
  return [...COMMON_HEADERS, 'ETag', 'Content-Language', 'Cache-Control']
}

function addExample(parameter: Parameter): object {
  const value = ENDPOINT_VALUES[parameter.name]
  return typeof value === 'string' ? { ...parameter, example: value } : parameter
}

function completeBody(body: NonNullable<Operation['requestBody']>): object {
  const content = Object.entries(body.content).map(([type, media]) => [
    type,
    { ...media, example: exampleOfBody(media.schema) },
  ])
  return { ...body, content: Object.fromEntries(content) }
}

/** An endpoint that takes the input of any capability has no schema for it. */
function exampleOfBody(schema: Schema): unknown {
  if (schema.type === undefined) return { owner: 'octo-org', name: 'hello-world' }
  return exampleOf(schema, ENDPOINT_VALUES)
}

function completeAnswer(response: Response, names: readonly HeaderName[]): object {
  const headers = refsToHeaders(names)
  const json = response.content?.[JSON_TYPE]
  const properties = json?.schema.properties
  if (!isObject(properties) || properties.meta === undefined) return { ...response, headers }
  const schema = { ...json?.schema, properties: { ...properties, meta: REF_TO_META } }
  const data = exampleOf(properties.data as Schema, ENDPOINT_VALUES)
  const example = { ok: true, data, error: null, meta: exampleMeta({}) }
  return {
    description: 'Done.',
    headers,
    content: {
      ...response.content,
      [JSON_TYPE]: { schema, ...(data === undefined ? {} : { example }) },
    },
  }
}
