import { expect, test } from 'vitest'
import { CliCardSection, CliUpstreamSection } from '../../adapters/cli/schema.ts'
import { GraphqlCardSection, GraphqlUpstreamSection } from '../../adapters/graphql/schema.ts'
import { RestCardSection, RestUpstreamSection } from '../../adapters/rest/schema.ts'
import { RouteSource } from '../../src/cards/route-schema.ts'
import { CardSource, UpstreamSource } from '../../src/cards/schema.ts'
import { cardFunctions, registerCardFunctions } from '../../src/expressions/functions.ts'
import { FailureRuleSource } from '../../src/model/failure-rule.ts'
import { readPage } from './pages.ts'

const page = readPage('docs/cards.md')
const words = new Set(
  [...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.match(/\$?\w+/g) ?? []),
)

test.each([
  ['a card', CardSource],
  ['a route', RouteSource],
  ['rest in a card', RestCardSection],
  ['graphql in a card', GraphqlCardSection],
  ['cli in a card', CliCardSection],
  ['upstream.yaml', UpstreamSource],
  ['rest in upstream.yaml', RestUpstreamSection],
  ['graphql in upstream.yaml', GraphqlUpstreamSection],
  ['cli in upstream.yaml', CliUpstreamSection],
  ['a failure rule', FailureRuleSource],
])('docs/cards.md explains every key of %s', (_name, schema) => {
  expect(keysOf(schema).filter(key => !words.has(key))).toEqual([])
})

test('docs/cards.md explains every function that cards have on top of JMESPath', () => {
  registerCardFunctions()
  expect(cardFunctions).not.toEqual([])
  expect(cardFunctions.filter(name => !page.includes(`| \`${name}(`))).toEqual([])
})

/** The names of an object schema, and of those inside it. */
function keysOf(schema: unknown): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, unknown>
    items?: unknown
    anyOf?: unknown[]
  }
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), items, ...anyOf].flatMap(keysOf),
  ]
}
