import { isObject } from '../../lib/is-object.ts'
import { firstSentence, oneLine } from '../../lib/text.ts'
import { HTTP_METHODS } from '../../model/http-methods.ts'
import { type BodySection, placeBody } from './body.ts'
import { credentialJudge } from './covered.ts'
import { ImportError, NotExpressible } from './errors.ts'
import { InputMembers } from './input-members.ts'
import type { SchemaContext } from './json-schema.ts'
import { effectOf, idOfName, idOfPath, isPlural } from './names.ts'
import { draftUpstream } from './openapi-upstream.ts'
import { addPagingMembers, pagedAnswer } from './paged-answer.ts'
import { type Paging, recognizePaging } from './paging.ts'
import { type Placed, pagingNames, placeParameters } from './parameters.ts'
import { deref, type Json, listOf, objectMembers, textOf } from './references.ts'
import { type Answer, readAnswer } from './response.ts'
import { newBudget } from './schema-budget.ts'
import { needsOf, type Secured, secure } from './schemes.ts'
import {
  chooseServers,
  incompleteServer,
  type Place,
  placeOnServer,
  type Servers,
} from './servers.ts'
import type { Draft, Operation, Service } from './service.ts'
import { describeCredentials } from './undescribed.ts'

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace', 'query']
const CARD_METHODS: readonly string[] = HTTP_METHODS

/** An operation in the document, with its place. */
interface Source {
  readonly method: string
  readonly path: string
  /** Its Path Item Object. */
  readonly item: Json
  readonly source: Json
}

/** Reads a document of OpenAPI 3.0 or 3.1. */
export function readOpenApi(published: Json): Service {
  if (!isObject(published.paths)) {
    throw new ImportError('the document has no "paths", so there is nothing to call')
  }
  const { document, notes } = describeCredentials(published)
  const items = objectMembers(document.paths)
  const sources = items.flatMap(([path, item]) =>
    isReadable(document, item) ? sourcesOf(path, deref(document, item)) : [],
  )
  const unreadable = items.filter(([, item]) => !isReadable(document, item))
  const secured = secure(
    document,
    sources.map(({ source }) => source),
  )
  const servers = chooseServers(document, sources.map(serversOf))
  const whole = { document, secured, servers }
  const { title } = isObject(document.info) ? document.info : {}
  return {
    title: textOf(title) ?? 'service',
    operations: [
      ...sources.map(source => toOperation(source, whole)),
      ...unreadable.map(([path, item]) => unreadableOperation(path, item, document)),
    ],
    upstream: (prefix, url) =>
      draftUpstream(
        { servers, secured, incomplete: incompleteServer(document), notes },
        prefix,
        url,
      ),
  }
}

function isReadable(document: Json, item: Json): boolean {
  try {
    return isObject(deref(document, item))
  } catch {
    return false
  }
}

/** Represents a path whose `$ref` leads out of the document, so that import reports the reason. */
function unreadableOperation(path: string, item: Json, document: Json): Operation {
  const id = idOfPath('GET', path, false)
  const draft = () => {
    deref(document, item)
    throw new NotExpressible('has a path that the document does not describe')
  }
  return { label: `* ${path}`, name: null, id, otherId: id, effect: 'write', draft }
}

function sourcesOf(path: string, item: Json): Source[] {
  return METHODS.flatMap(name => {
    const source = item[name]
    return isObject(source) ? { method: name.toUpperCase(), path, item, source } : []
  })
}

/** The facts about the whole document that each operation needs. */
interface Whole {
  readonly document: Json
  readonly secured: Secured
  readonly servers: Servers
}

function serversOf({ item, source }: Source): readonly unknown[] {
  return listOf(source.servers ?? item.servers)
}

function toOperation(origin: Source, whole: Whole): Operation {
  const { document } = whole
  const { method, path, source } = origin
  const name = textOf(source.operationId)
  const isList = method === 'GET' && readsList(path, source, document)
  const otherId = idOfPath(method, path, isList)
  return {
    label: `${method} ${path}`,
    name,
    id: (name === null ? null : idOfName(name, method, path)) ?? otherId,
    otherId,
    effect: effectOf(method),
    draft: () => draftOf(origin, whole),
  }
}

/** True if the path ends in a plural, or if the answer is a list or an object with exactly one list. */
function readsList(path: string, { responses }: Json, document: Json): boolean {
  if (/\}[^/{}]*\/?$/.test(path)) return false
  if (isPlural(path.split('/').at(-1) ?? '')) return true
  try {
    return objectMembers(responses).some(([status, value]) => {
      const { content } = deref(document, status.startsWith('2') ? value : {})
      const [media] = objectMembers(content).map(([, one]) => one)
      const { type, properties } = deref(document, media?.schema)
      const members = objectMembers(properties).map(([, member]) => deref(document, member))
      return type === 'array' || members.filter(member => member.type === 'array').length === 1
    })
  } catch (error) {
    // `draft` reports why the answer cannot be read.
    if (error instanceof NotExpressible) return false
    throw error
  }
}

function draftOf(origin: Source, whole: Whole): Draft {
  const { document, secured } = whole
  const { method, path, item, source } = origin
  const { template, server } = placeOf(origin, whole)
  const needs = needsOf(document, source, secured)
  const notes = new Set<string>()
  const context = createContext(document, 'input', notes)
  const members = new InputMembers()
  const parameters = [...listOf(item.parameters), ...listOf(source.parameters)]
  const paging = method === 'GET' ? recognizePaging(parameters, source.responses, document) : null
  const others = parameters.filter(one => !sendsPage(paging, deref(document, one)))
  const judge = credentialJudge(document, needs.header, needs.isNeeded)
  const placed = placeParameters(template, others, { members, context, judge })
  const isRead = effectOf(method) === 'read'
  const body: BodySection = isRead ? {} : placeBody(source.requestBody, members, context)
  if (paging) addPagingMembers(paging, members)
  else if (isRead) notePaging(pagingNames(parameters, document), notes)
  const answer = answerOf(origin, paging, createContext(document, 'output', notes))
  const query = { ...placed.query, ...paging?.query }
  return {
    description: toDescription(source, `${method} ${path}`),
    input: members.toSchema(),
    output: answer.output,
    route: 'rest',
    section: { method, ...server, ...sectionOf({ ...placed, query }, body, answer) },
    more: { ...needs.keys, ...furtherKeys(source, answer), ...(paging ? PAGE : {}) },
    notes: [...notes],
    needsCredential: needs.isNeeded,
  }
}

/** The path of the operation below its server, which is that of the upstream or has a name. */
function placeOf(origin: Source, { document, servers }: Whole) {
  const { method, path } = origin
  if (!CARD_METHODS.includes(method)) {
    throw new NotExpressible(`has the method ${method}, which no card can send`)
  }
  const { prefix, server }: Place = placeOnServer(document, serversOf(origin), servers)
  return { template: prefix + path, server: server === null ? {} : { server } }
}

function answerOf(
  { method, source }: Source,
  paging: Paging | null,
  context: SchemaContext,
): Answer {
  return paging ? pagedAnswer(paging, context) : readAnswer(source.responses, method, context)
}

const PAGE = { page: { cursor: 'after', size: 'first' } }

function sendsPage(paging: Paging | null, { in: place, name }: Json): boolean {
  return place === 'query' && (paging?.replaced.includes(String(name)) ?? false)
}

function sectionOf(
  placed: Placed,
  { styles, headers, ...body }: BodySection,
  answer: Answer,
): Json {
  const ofAnswer = answer.section.headers as object | undefined
  return {
    path: placed.path,
    ...unlessEmpty('query', placed.query),
    ...body,
    ...answer.section,
    ...unlessEmpty('headers', { ...placed.headers, ...headers, ...ofAnswer }),
    ...unlessEmpty('cookies', placed.cookies),
    ...unlessEmpty('styles', { ...placed.styles, ...styles }),
    ...unlessEmpty('keep_empty', placed.keepEmpty),
  }
}

function createContext(
  document: Json,
  direction: 'input' | 'output',
  notes: Set<string>,
): SchemaContext {
  return { document, direction, notes, budget: newBudget() }
}

function notePaging(names: readonly string[], notes: Set<string>): void {
  if (names.length === 0) return
  notes.add(`Paged by ${names.join(', ')}; see "Lists" in docs/cards.md to give it cursors.`)
}

function unlessEmpty(key: string, value: object): Json {
  return Object.keys(value).length > 0 ? { [key]: value } : {}
}

function furtherKeys({ deprecated }: Json, { list }: Answer): Json {
  return {
    ...(deprecated === true ? { deprecated: 'The service says that it is deprecated.' } : {}),
    ...(list === null ? {} : { list: { path: list } }),
  }
}

function toDescription({ summary, description }: Json, otherwise: string): string {
  const line = oneLine(textOf(summary) ?? firstSentence(textOf(description) ?? otherwise))
  return /[.!?]$/.test(line) ? line : `${line}.`
}
