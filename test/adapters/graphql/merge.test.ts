import { buildSchema, graphqlSync, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { compileMergeable, type Mergeable, mergeQueries } from '../../../adapters/graphql/merge.ts'
import { splitAnswer } from '../../../adapters/graphql/split.ts'

const schema = buildSchema(`
  type Query { thing(id: ID!): Thing, must(id: ID!): Thing!, version: Int }
  type Thing { id: ID!, name(upper: Boolean): String, part(id: ID!): Thing }
`)
const root = {
  version: 3,
  thing: ({ id }: { id: string }) => thing(id),
  must: ({ id }: { id: string }) => thing(id),
}

function thing(id: string): object | null {
  if (id === 'none') return null
  return {
    id,
    name: ({ upper }: { upper?: boolean }) => {
      if (id === 'bad') throw new Error(`no name for ${id}`)
      return upper ? `NAME ${id}` : `name ${id}`
    },
    part: ({ id: part }: { id: string }) => thing(`${id}/${part}`),
  }
}

function compile(text: string): Mergeable {
  const mergeable = compileMergeable(text)
  if (!mergeable) throw new Error(`cannot be merged: ${text}`)
  return mergeable
}

/** Runs queries as one merged query, and returns the body of each. */
function runMerged(queries: readonly (readonly [string, object])[]) {
  const source = mergeQueries(queries.map(([text]) => compile(text)))
  expect(validate(schema, parse(source))).toEqual([])
  const variableValues = Object.fromEntries(
    queries.flatMap(([, variables], place) =>
      Object.entries(variables).map(([name, value]) => [`c${place}_${name}`, value]),
    ),
  )
  const result = graphqlSync({ schema, source, rootValue: root, variableValues })
  const text = JSON.stringify(result)
  const split = splitAnswer({ ok: true, status: 200, headers: {}, text, requests: 1 }, () => null)
  if (split.kind !== 'parts') throw new Error(`no parts in ${text}`)
  return { source, bodies: queries.map((_, place) => split.bodyOf(place)) }
}

/** Runs a query alone. Drops error locations, because merging changes them. */
function runAlone([source, variableValues]: readonly [string, object]) {
  const result = graphqlSync({
    schema,
    source,
    rootValue: root,
    variableValues: variableValues as Record<string, unknown>,
  })
  return withoutLocations(JSON.parse(JSON.stringify(result)))
}

function withoutLocations(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'locations' ? undefined : value))
}

const NAMED = 'fragment Named on Thing { id name }'
const queries: readonly (readonly [string, readonly (readonly [string, object])[]])[] = [
  [
    'the same query with different variables',
    ['a', 'b'].map(id => ['query T($id: ID!) { thing(id: $id) { id name } }', { id }] as const),
  ],
  [
    'fields with the same name, aliases and __typename',
    [
      ['{ __typename version }', {}],
      ['{ version it: thing(id: "x") { version: id } }', {}],
    ],
  ],
  [
    'different fragments with the same name',
    [
      [`query A($id: ID!) { thing(id: $id) { ...Named } } ${NAMED}`, { id: 'a' }],
      [
        'query B($id: ID!) { thing(id: $id) { ...Named } } fragment Named on Thing { name(upper: true) }',
        { id: 'b' },
      ],
    ],
  ],
  [
    'fragments with variables, and fragments in fragments',
    ['a', 'b'].map(
      id =>
        [
          `query ($id: ID!, $up: Boolean) { thing(id: $id) { ...Outer } }
           fragment Outer on Thing { part(id: $id) { ...Inner } ...Named }
           fragment Inner on Thing { name(upper: $up) } ${NAMED}`,
          { id, up: id === 'a' },
        ] as const,
    ),
  ],
  [
    'inline fragments and directives at the root',
    [
      ['query ($yes: Boolean!) { ... on Query { version @include(if: $yes) } }', { yes: false }],
      ['{ ... { version } }', {}],
    ],
  ],
  [
    'an error in one of them',
    [
      ['{ thing(id: "bad") { id name } }', {}],
      ['{ thing(id: "good") { id name } }', {}],
    ],
  ],
  ['a default value', [['query ($id: ID! = "d") { thing(id: $id) { id } }', {}]]],
]

describe('merged queries', () => {
  test.each(queries)('get the same answers as alone: %s', (_name, asked) => {
    const { bodies } = runMerged(asked)
    expect(withoutLocations(bodies)).toEqual(asked.map(runAlone))
  })

  test('contain a shared fragment once', () => {
    const text = `query ($id: ID!) { thing(id: $id) { ...Named } } ${NAMED}`
    const { source } = runMerged(['a', 'b', 'c'].map(id => [text, { id }]))
    expect(source.match(/fragment /g)).toHaveLength(1)
  })

  test.each([
    ['a directive of the operation', 'query @cached { version }'],
    ['a fragment at the root', '{ ...Root } fragment Root on Query { version }'],
    ['a mutation', 'mutation { version }'],
  ])('do not include a query with %s', (_name, text) => {
    expect(compileMergeable(text)).toBeNull()
  })

  /** Each fragment reaches all later ones. */
  const nested = (count: number, members = '') => {
    const names = Array.from({ length: count }, (_, n) => `F${n}`)
    const fragments = names.map(
      (name, n) => `fragment ${name} on Thing { id ${members} ...${names[n + 1] ?? 'Last'} }`,
    )
    return `{ thing(id: "a") { ...F0 } } fragment Last on Thing { id } ${fragments.join(' ')}`
  }

  // 1,200 fragments took ten seconds, when each was printed once more for each that it is reached from.
  test.each([
    ['of a caller with a thousand fragments', nested(1200), true],
    [
      'with as many fragments as are merged, and many members',
      nested(49, 'name '.repeat(150)),
      false,
    ],
  ])('cost little for a query %s', (_name, text, isAlone) => {
    const start = process.threadCpuUsage().user
    expect(compileMergeable(text) === null).toBe(isAlone)
    expect((process.threadCpuUsage().user - start) / 1000).toBeLessThan(1000)
  })
})
