import { createHash } from 'node:crypto'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Key } from '../../src/access/key-schema.ts'
import type { Card } from '../../src/model/card.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { SCOPES } from '../../src/model/scopes.ts'
import type { RecordedAnswer } from './recorded-answers.ts'

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: object
    readonly parameters: Readonly<Record<string, { readonly name: string }>>
  }
}

interface Operation {
  readonly responses: Readonly<Record<string, Response | Reference>>
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, unknown>>
}

interface Reference {
  readonly $ref: string
}

/** Finds answers that `/openapi.json` does not describe. */
export interface ApiDocument {
  /** The document of the default dialect. */
  readonly document: Document
  /** Returns what is wrong with an answer; null if nothing is. The document of its dialect decides. */
  fault(answer: RecordedAnswer, keys: readonly Key[]): Promise<string | null>
}

/** A key that may call everything: strangers and other keys see a part of the document. */
export const DOCUMENT_KEY = {
  name: 'document',
  secret: 'document-secret-0123456789',
  scopes: [...SCOPES],
}

interface OneDialect {
  readonly document: Document
  readonly fault: (answer: RecordedAnswer) => string | null
}

/** Documents by the cards and the dialect they describe. Many gateways have the same cards, and compiling schemas is slow. */
const known = new Map<string, Promise<OneDialect>>()

/** @param hasKeys only then the answers without a key are described */
export async function fetchDocument(
  url: string,
  cards: readonly Card[],
  hasKeys: boolean,
): Promise<ApiDocument> {
  const facts = cards.map(({ id, input, output, routes }) => [
    id,
    input,
    output,
    routes.map(({ route }) => route),
  ])
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex')
  const load = async (profile: ProfileName) => {
    const key = [digest, hasKeys, profile].join(' ')
    const found = known.get(key) ?? loadDocument(url, profile)
    known.set(key, found)
    return await found
  }
  const { document } = await load('default')
  return {
    document,
    fault: async (answer, keys) => (await load(dialectOf(answer, keys))).fault(answer),
  }
}

async function loadDocument(url: string, profile: ProfileName): Promise<OneDialect> {
  const headers = { authorization: `Bearer ${DOCUMENT_KEY.secret}` }
  const answer = await fetch(`${url}/openapi.json?profile=${profile}`, { headers })
  return readDocument((await answer.json()) as Document)
}

function readDocument(document: Document): OneDialect {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const check = (pointer: string, value: unknown): string | null => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, validate)
    return validate(value) ? null : JSON.stringify(validate.errors)
  }
  return {
    document,
    fault(answer) {
      const place = findOperation(document, answer)
      // A path without an operation is unknown, and its answer is the default error.
      const operation = place === null ? null : `/paths/${escape(place.path)}/${place.method}`
      const response = operation === null ? FAILURE : findResponse(document, operation, answer)
      if (response === null) return 'its status is not described'
      const { content, headers = {} } = resolve(document, response) as Response
      const header = answer.headers?.find(name => !isDescribed(name, headers))
      if (header !== undefined) return `its header ${header} is not described`
      if (content === undefined) return answer.body === '' ? null : 'it should have no body'
      const type = findType(Object.keys(content), answer)
      if (type === null) return `its type ${answer.contentType} is not described`
      if (!/\bjson\b/.test(type)) return null
      const body = withoutOtherDialects(answer, JSON.parse(answer.body))
      return check(
        isPartial(answer) && 'Profile.default' in document.components.schemas
          ? ANY_DATA
          : `${response}/content/${escape(type)}/schema`,
        body,
      )
    },
  }
}

/** Headers of HTTP itself, of pages, and of answers to pages of other origins. */
const USUAL =
  /^(?:connection|keep-alive|date|content-(?:type|length|security-policy)|transfer-encoding|vary|access-control-.*|x-content-type-options|referrer-policy|last-modified|accept-ranges|allow|cache-control|x-accel-buffering)$/

function isDescribed(name: string, headers: object): boolean {
  return USUAL.test(name) || Object.keys(headers).some(known => known.toLowerCase() === name)
}

const FAILURE = '/components/responses/Failure'
const ANY_DATA = '/components/schemas/Profile.default'
/** HTTP itself refuses these, whatever the path is. */
const OF_HTTP = [405, 406, 408, 413, 414, 417, 431]

interface Envelope {
  readonly error?: unknown
  readonly meta: object
}

/** A call of a batch may name a dialect of its own, which the document of another one does not describe. */
function withoutOtherDialects({ url, status }: RecordedAnswer, body: unknown): unknown {
  if (status !== 200 || !url.startsWith('/v1/batch') || queryOf(url).has('profile')) return body
  const { data, ...rest } = body as { data: { results: { envelope: Envelope }[] } | null }
  // `ghx` has the same four members, but a smaller meta.
  const isDefault = ({ error, meta }: Envelope) => error !== undefined && 'request_id' in meta
  const results = data?.results?.filter(({ envelope }) => isDefault(envelope))
  return results === undefined ? body : { ...rest, data: { ...data, results } }
}

/** With `fields`, data has only the chosen members. */
function isPartial({ url, status }: RecordedAnswer): boolean {
  return status === 200 && url.startsWith('/v1/capabilities/') && queryOf(url).has('fields')
}

/** Finds the operation of a path: by its exact path, else by the first template that fits. */
export function findOperation(
  { paths }: Document,
  { method, url }: Pick<RecordedAnswer, 'method' | 'url'>,
): { readonly path: string; readonly method: string } | null {
  const [path = ''] = url.split('?')
  const name = method.toLowerCase()
  const fits = Object.keys(paths).filter(
    template => paths[template]?.[name] && (template === path || patternOf(template).test(path)),
  )
  const found = fits.find(template => template === path) ?? fits[0]
  return found === undefined ? null : { path: found, method: name }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

/** The pointer to the response of a status. Each failure that a handler can have stands under its own status. */
function findResponse(document: Document, operation: string, { status }: RecordedAnswer) {
  const { responses } = resolve(document, operation) as Operation
  const range = `${Math.floor(status / 100)}XX`
  const keys = [String(status), range, ...(OF_HTTP.includes(status) ? ['default'] : [])]
  const key = keys.find(one => responses[one])
  if (key === undefined) return null
  const response = responses[key]
  return response && '$ref' in response ? response.$ref.slice(1) : `${operation}/responses/${key}`
}

function findType(described: readonly string[], { contentType }: RecordedAnswer): string | null {
  const [sent = ''] = contentType?.split(';') ?? []
  return described.includes(sent) ? sent : null
}

function dialectOf(answer: RecordedAnswer, keys: readonly Key[]): ProfileName {
  const { url, requestHeaders, contentType } = answer
  if (contentType?.includes('problem+json')) return 'problem'
  const secret = requestHeaders.authorization?.replace(/^Bearer /i, '')
  const named =
    queryOf(url).get('profile') ??
    /profile="?(\w+)/.exec(requestHeaders.accept ?? '')?.[1] ??
    keys.find(key => key.secret === secret)?.profile
  return PROFILE_NAMES.find(name => name === named) ?? 'default'
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
}

function resolve(document: Document, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map(part => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document)
}

/** Paths may be anything here, so this parses no more than the query. */
function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
}
