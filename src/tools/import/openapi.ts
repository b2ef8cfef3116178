import { isObject } from '../../lib/is-object.ts'
import { firstSentence } from '../../lib/text.ts'
import { HTTP_METHODS } from '../../model/http-methods.ts'
import { placeBody } from './body.ts'
import { InputMembers } from './input-members.ts'
import { MOST_PARTS, type SchemaContext } from './json-schema.ts'
import { effectOf, idOfName, idOfPath, isPlural } from './names.ts'
import {
  type Connection,
  type Draft,
  ImportError,
  NotExpressible,
  type Offer,
  type Service,
} from './offer.ts'
import { pagingNames, placeParameters } from './parameters.ts'
import { deref, type Json, listOf, membersOf, textOf } from './references.ts'
import { readAnswer } from './response.ts'
import { type Credential, chooseCredential, needsCredential } from './security.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace', 'query']
const SERVED: readonly string[] = HTTP_METHODS

interface Operation {
  readonly method: string
  readonly path: string
  readonly item: Json
  readonly source: Json
}

/** Reads a document of OpenAPI 3.0 or 3.1. */
export function readOpenApi(document: Json): Service {
  if (!isObject(document.paths)) {
    throw new ImportError('the document has no "paths", so there is nothing to call in it')
  }
  const operations = membersOf(document.paths).flatMap(([path, item]) =>
    isReachable(document, item) ? operationsOf(path, deref(document, item)) : [],
  )
  const unreachable = membersOf(document.paths).filter(([, item]) => !isReachable(document, item))
  const credential = chooseCredential(
    document,
    operations.map(({ source }) => source),
  )
  const { title } = isObject(document.info) ? document.info : {}
  return {
    title: textOf(title) ?? 'service',
    offers: [
      ...operations.map(operation => offerOf(operation, document, credential)),
      ...unreachable.map(([path, item]) => unreachableOffer(path, item, document)),
    ],
    connection: (prefix, url) => connectionOf(document, credential, prefix, url),
  }
}

function isReachable(document: Json, item: Json): boolean {
  try {
    return isObject(deref(document, item))
  } catch {
    return false
  }
}

/** What is behind a reference that leads out of the document: left out like others, with the reason. */
function unreachableOffer(path: string, item: Json, document: Json): Offer {
  const id = idOfPath('GET', path, false)
  const draft = () => {
    deref(document, item)
    throw new NotExpressible('has a path that is described elsewhere')
  }
  return { label: `* ${path}`, name: null, id, otherId: id, effect: 'write', draft }
}

function operationsOf(path: string, item: Json): Operation[] {
  return METHODS.flatMap(name => {
    const source = item[name]
    return isObject(source) ? { method: name.toUpperCase(), path, item, source } : []
  })
}

function offerOf(operation: Operation, document: Json, credential: Credential | null): Offer {
  const { method, path, source } = operation
  const name = textOf(source.operationId)
  const isList = method === 'GET' && isOfMany(path, source, document)
  const otherId = idOfPath(method, path, isList)
  return {
    label: `${method} ${path}`,
    name,
    id: (name === null ? null : idOfName(name)) ?? otherId,
    otherId,
    effect: effectOf(method),
    draft: () => draftOf(operation, document, credential),
  }
}

/** Whether a read is of many things: its path says so, or its answer is a list, or an object with one. */
function isOfMany(path: string, { responses }: Json, document: Json): boolean {
  if (/\}[^/{}]*\/?$/.test(path)) return false
  if (isPlural(path.split('/').at(-1) ?? '')) return true
  try {
    return membersOf(responses).some(([status, value]) => {
      const { content } = deref(document, status.startsWith('2') ? value : {})
      const [media] = membersOf(content).map(([, one]) => one)
      const { type, properties } = deref(document, media?.schema)
      const members = membersOf(properties).map(([, member]) => deref(document, member))
      return type === 'array' || members.filter(member => member.type === 'array').length === 1
    })
  } catch (error) {
    // Why it cannot be read is told when its card is made.
    if (error instanceof NotExpressible) return false
    throw error
  }
}

function contextOf(
  document: Json,
  direction: 'input' | 'output',
  notes: Set<string>,
): SchemaContext {
  return { document, direction, notes, budget: { left: MOST_PARTS } }
}

function draftOf(
  { method, path, item, source }: Operation,
  document: Json,
  credential: Credential | null,
): Draft {
  if (!SERVED.includes(method))
    throw new NotExpressible(`has the method ${method}, which no card sends`)
  if (listOf(source.servers ?? item.servers).length > 0) {
    throw new NotExpressible('has a server of its own; an upstream has one')
  }
  const needs = needsCredential(document, source, credential)
  const notes = new Set<string>()
  const context = contextOf(document, 'input', notes)
  const members = new InputMembers()
  const sources = [...listOf(item.parameters), ...listOf(source.parameters)]
  const placed = placeParameters(path, sources, credential?.header ?? null, members, context)
  const isRead = effectOf(method) === 'read'
  const body = isRead ? {} : placeBody(source.requestBody, members, context)
  const answer = readAnswer(source.responses, method, contextOf(document, 'output', notes))
  const paging = isRead ? pagingNames(sources, document) : []
  if (paging.length > 0) {
    notes.add(
      `It is paged by ${paging.join(', ')}; "Lists" in docs/cards.md tells how to give it cursors.`,
    )
  }
  const headers = { ...placed.headers, ...(answer.section.headers as object | undefined) }
  return {
    description: descriptionOf(source, `${method} ${path}`),
    input: members.toSchema(),
    output: answer.output,
    route: 'rest',
    section: {
      method,
      path: placed.path,
      ...(Object.keys(placed.query).length > 0 ? { query: placed.query } : {}),
      ...body,
      ...answer.section,
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    },
    more: {
      ...(source.deprecated === true
        ? { deprecated: 'The service says that it is deprecated.' }
        : {}),
      ...(answer.list === null ? {} : { list: { path: answer.list } }),
    },
    notes: [...notes],
    needsCredential: needs,
  }
}

function descriptionOf({ summary, description }: Json, otherwise: string): string {
  const text = textOf(summary) ?? firstSentence(textOf(description) ?? otherwise)
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}

function connectionOf(
  document: Json,
  credential: Credential | null,
  prefix: string,
  url: string | null,
): Connection {
  const address = url ?? serverOf(document)
  const fallback = address === null ? '' : `:-${address}`
  const headers = credential ? { headers: { [credential.header]: credential.value } } : {}
  return {
    route: 'rest',
    section: { base_url: `\${${prefix}_URL${fallback}}`, ...headers },
    url: address,
    mayNeedCredential: false,
    notes: credential ? credential.notes : [noCredential(prefix)],
    files: {},
  }
}

function noCredential(prefix: string): string {
  return (
    'The document names no credential that a header carries. If the service takes one, add ' +
    `credential: {env: [${prefix}_TOKEN]}, and under rest: headers: {authorization: "Bearer \${credential}"}.`
  )
}

/** The first server, its variables filled in with their defaults; null when it is no address by itself. */
function serverOf(document: Json): string | null {
  const [server] = listOf(document.servers).filter(isObject)
  const variables = isObject(server?.variables) ? server.variables : {}
  const filled = (textOf(server?.url) ?? '').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name]
    return (isObject(variable) ? textOf(variable.default) : null) ?? whole
  })
  if (!/^https?:\/\//.test(filled) || !URL.canParse(filled)) return null
  const { origin, pathname } = new URL(filled)
  if (/[{}]|%7[BD]/i.test(origin + pathname)) return null
  return pathname === '/' ? origin : `${origin}${pathname}`
}
