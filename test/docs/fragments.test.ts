import { dump, load } from 'js-yaml'
import { expect, test } from 'vitest'
import { ROUTE_KEYS } from '../../src/cards/route-schema.ts'
import { CardSource, UpstreamSource } from '../../src/cards/schema.ts'
import { isObject } from '../../src/lib/is-object.ts'
import { loadPacks, writePack } from '../support/packs.ts'
import { blocks, readPage } from './pages.ts'

type Json = Readonly<Record<string, unknown>>

/** Fragments that stand for something longer. */
const SHORTENED = /…/

const fragments = ['docs/cards.md', 'docs/credentials.md'].flatMap(page =>
  blocks(readPage(page), 'yaml').map(text => ({
    page,
    text,
    title: text.split('\n').slice(0, 3).join(' ').slice(0, 60),
  })),
)

/** Faults of a fragment that only the rest of its files would mend. */
const ELSEWHERE =
  /names the capability|which the (in|out)put lacks|is never used|\$ref names|schemes are several|has no schemes|names nothing in the output/

test.each(fragments.filter(({ text }) => !SHORTENED.test(text)))(
  '$page shows what a start takes: $title',
  async ({ text }) => {
    const fragment = load(text) as Json
    const pack = await writePack({
      'upstream.yaml': dump(upstreamOf(fragment)),
      'thing.list.yaml': dump(cardOf(fragment, text)),
    })
    const { problems } = await loadPacks([pack])
    const own = problems.filter(({ message }) => !ELSEWHERE.test(message))
    expect(own.map(({ message }) => message)).toEqual([])
  },
)

const ROUTES = ['rest', 'graphql', 'cli']
const SOURCES = ['command', 'oauth2', 'github_app']

/** The fragment, completed to a file that a start takes. */
function upstreamOf(fragment: Json): Json {
  const keys = Object.keys(fragment).filter(key => isOfUpstream(key, fragment))
  const source = Object.keys(fragment).find(key => SOURCES.includes(key))
  const secret = {
    schemes: { key: { type: 'bearer' } },
    credentials: { default: { key: fragment } },
  }
  return {
    id: 'thing',
    rest: { base_url: 'https://example.com' },
    graphql: { url: 'https://example.com/graphql' },
    cli: { command: 'thing' },
    ...(source === undefined ? {} : secret),
    ...Object.fromEntries(keys.map(key => [key, fragment[key]])),
  }
}

function isOfUpstream(key: string, fragment: Json): boolean {
  const section = fragment[key]
  if (ROUTES.includes(key)) return isObject(section) && 'base_url' in section
  return Object.hasOwn(UpstreamSource.properties, key)
}

/** A card without faults that has the fragment in its place. */
function cardOf(fragment: Json, text: string): Json {
  const keys = Object.keys(fragment).filter(key => !isOfUpstream(key, fragment))
  const pick = (is: (key: string) => boolean) =>
    Object.fromEntries(keys.filter(is).map(key => [key, fragment[key]]))
  const rest = pick(key => ROUTE_KEYS.includes(key))
  const sections = pick(key => ROUTES.includes(key))
  const routes = { ...(Object.keys(sections).length > 0 ? {} : { rest }), ...sections }
  const complete = Object.entries(routes).map(([route, section]) => [
    route,
    { ...requestOf(route, section as Json), result: 'body', ...(section as object) },
  ])
  return {
    id: 'thing.list',
    version: '1.0.0',
    description: 'A thing.',
    effect: /verify:/.test(text) ? 'write' : CHANGES.test(text) ? 'idempotent' : 'read',
    input: inputOf(text),
    output: { type: 'object', additionalProperties: true, properties: {} },
    prefer: Object.keys(routes),
    routes: Object.fromEntries(complete),
    ...(/\bpages:/.test(text) ? { page: { cursor: 'after', size: 'first' } } : {}),
    ...pick(key => Object.hasOwn(CardSource.properties, key)),
  }
}

const CHANGES = /\bthen:|\bstate:|\bmethod: (?:POST|PUT|PATCH|DELETE)/

function requestOf(route: string, { variables = {}, then, lookup }: Json): object {
  const names = Object.keys(variables as object)
  const declared = names.length === 0 ? '' : `(${names.map(name => `$${name}: String`).join(', ')})`
  const given = names.length === 0 ? '' : `(${names.map(name => `${name}: $${name}`).join(', ')})`
  const kind = then === undefined && lookup === undefined ? 'query' : 'mutation'
  if (route === 'graphql') return { document: `${kind} Thing${declared} { thing${given} }` }
  return route === 'cli' ? { command: [] } : { method: 'GET', path: '/' }
}

/** Each member that the fragment reads, and those of every list. */
function inputOf(text: string): Json {
  const read = [...text.matchAll(/\binput\.(\w+)|\{\+?(\w+)\}/g)].map(([, a, b]) => a ?? b ?? '')
  const required = [...new Set([...read, 'first', 'after'])]
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(required.map(name => [name, {}])),
  }
}
