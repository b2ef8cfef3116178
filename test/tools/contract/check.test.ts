import { expect, test } from 'vitest'
import { checkCard, emptyReport } from '../../../src/tools/contract/check.ts'
import { readSchemas } from '../../../src/tools/contract/graphql.ts'
import { createOpenApi } from '../../../src/tools/contract/openapi.ts'
import { fakeCard } from '../../support/cards.ts'

const parameter = (name: string, schema: object, required = false) => ({
  name,
  in: 'query',
  required,
  schema,
})
const openApi = createOpenApi({
  components: { schemas: { state: { type: 'string', enum: ['open', 'closed'] } } },
  paths: {
    '/things/{id}': {
      get: {
        parameters: [
          parameter('state', { $ref: '#/components/schemas/state' }),
          parameter('per_page', { type: 'integer' }),
        ],
      },
      patch: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['title'],
                properties: {
                  title: { type: 'string' },
                  size: { nullable: true, type: 'integer' },
                  state: { $ref: '#/components/schemas/state' },
                },
              },
            },
          },
        },
      },
    },
    '/files/{path}': { get: {} },
    '/orgs/{org}/boards/{id}': { get: {} },
    '/users/{user}/boards/{id}': { get: { parameters: [parameter('state', {}, true)] } },
    '/other/{org}/{any}/{id}': { get: {} },
  },
})
const schemas = readSchemas('extend type Query { weather: String }')
const card = fakeCard({
  input: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string' },
      state: { type: 'string', enum: ['open', 'closed', 'all'] },
      size: { type: 'integer' },
    },
  },
})

function faults(routes: string): string[] {
  const report = emptyReport()
  checkCard(card, `id: thing.list\nroutes:\n${routes}`, { openApi, schemas }, report)
  return [...report.problems.values()].map(({ line, message }) => `${line}: ${message}`)
}

const rest = (text: string) => faults(`  rest: ${text}`)
const gh = (text: string) => faults(`  cli: {command: [api], ${text}}`)
const uri = (template: string) =>
  `positionals: ["uri('${template}', {id: input.id, state: input.state, size: input.size})"]`

test.each([
  [
    'a path, a parameter and its values',
    rest("{method: GET, path: '/things/{id}', query: {per_page: page.size}}"),
  ],
  [
    'a body',
    rest("{method: PATCH, path: '/things/{id}', body: {title: input.id, size: input.size}}"),
  ],
  [
    'a value that depends on an answer',
    rest("{method: PATCH, path: '/things/{id}', body: {title: lookup.a.b}}"),
  ],
  ['a path of many segments', rest("{method: GET, path: '/files/{+id}'}")],
  [
    'a word of the path that a lookup returns',
    rest("{method: GET, path: '/{lookup.owner.kind}/{id}/boards/{id}'}"),
  ],
  [
    'a word of the path that a lookup returns to gh api',
    gh(
      `options: {method: "'GET'"}, positionals: ["uri('{kind}/{id}/boards/{id}', {kind: lookup.owner.kind, id: input.id})"]`,
    ),
  ],
  [
    'a document from the caller',
    faults('  graphql: {document_from: input.id, variables_from: input.variables}'),
  ],
  [
    'a document from the caller by gh api graphql',
    faults('  cli: {command: [api, graphql], stdin: {query: input.id}}'),
  ],
  ['gh api', gh(`options: {method: "'GET'"}, ${uri('things/{id}{?per_page}')}`)],
  ['other commands of gh', faults('  cli: {command: [repo, view]}')],
])('accepts %s that GitHub has', (_what, found) => {
  expect(found).toEqual([])
})

test.each([
  ['a path', rest("{method: GET, path: '/thingy/{id}'}"), /^3: .*calls GET \/thingy/],
  [
    'a path beside a word that a lookup returns',
    rest("{method: GET, path: '/{lookup.owner.kind}/{id}/boardsX/{id}'}"),
    /boardsX/,
  ],
  [
    'a path whose first word is input',
    rest("{method: GET, path: '/{id}/{id}/boards/{id}'}"),
    /does not have/,
  ],
  [
    'a parameter beside a word that a lookup returns',
    rest(
      "{method: GET, path: '/{lookup.owner.kind}/{id}/boards/{id}', query: {page: page.number}}",
    ),
    /parameter page,/,
  ],
  ['a method', rest("{method: PUT, path: '/things/{id}'}"), /PUT/],
  [
    'a parameter',
    rest("{method: GET, path: '/things/{id}', query: {page: page.number}}"),
    /parameter page,/,
  ],
  [
    'a value of a choice',
    rest("{method: GET, path: '/things/{id}', query: {state: input.state}}"),
    /state=all/,
  ],
  [
    'a member of a body',
    rest("{method: PATCH, path: '/things/{id}', body: {title: input.id, name: input.id}}"),
    /name is a member/,
  ],
  [
    'the type of a member',
    rest("{method: PATCH, path: '/things/{id}', body: {title: input.size}}"),
    /must be string/,
  ],
  [
    'a missing member',
    rest("{method: PATCH, path: '/things/{id}', body: {size: input.size}}"),
    /lacks title/,
  ],
  ['gh api without a method', gh(uri('things/{id}')), /without a method/],
  [
    'a parameter of gh api',
    gh(`options: {method: "'GET'"}, ${uri('things/{id}{?size}')}`),
    /parameter size/,
  ],
  [
    'a value of gh api',
    gh(`options: {method: "'GET'"}, ${uri('things/{id}{?state}')}`),
    /state=all/,
  ],
  [
    'fields as options',
    gh(`options: {method: "'GET'", field: "'a=b'"}, ${uri('things/{id}')}`),
    /fields as options/,
  ],
  [
    'a call of a lookup',
    rest("{lookup: {a: {method: GET, path: '/thingy'}}, method: GET, path: '/things/{id}'}"),
    /lookup\.a\.path/,
  ],
  [
    'a call of a step',
    rest("{then: {a: {method: GET, path: '/thingy'}}, method: GET, path: '/things/{id}'}"),
    /then\.a\.path/,
  ],
  ['a field', faults("  graphql: {document: '{ viewer { loginX } }'}"), /"loginX"/],
  [
    'a field in gh api graphql',
    gh(`positionals: ["'graphql'"], stdin: {query: "'{ viewer { loginX } }'"}`),
    /"loginX"/,
  ],
  [
    'a value of a variable',
    faults(
      "  graphql: {document: 'query ($s: [IssueState!]) { viewer { issues(first: 1, states: $s) { totalCount } } }', variables: {s: '[upper(input.state)]'}}",
    ),
    /"ALL"/,
  ],
])('reports %s that GitHub does not have, with its line', (_what, found, message) => {
  expect(found.join('\n')).toMatch(message)
  expect(found.every(fault => fault.startsWith('3: '))).toBe(true)
})

test('reports which cards need additions to the published schema', () => {
  const report = emptyReport()
  const text = "id: thing.list\nroutes:\n  graphql: {document: '{ weather }'}"
  checkCard(card, text, { openApi, schemas }, report)
  expect([...report.problems]).toEqual([])
  expect([...report.extended]).toEqual(['thing.list'])
})
