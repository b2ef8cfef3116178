import type { TSchema } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { createCliAdapter } from '../../adapters/cli/index.ts'
import { createGraphqlAdapter } from '../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../adapters/rest/index.ts'
import { reportSchemaErrors } from '../../src/cards/report.ts'
import { CardSource, UpstreamSource } from '../../src/cards/schema.ts'
import { compileSource } from '../../src/cards/validate.ts'
import type { Problem } from '../../src/lib/problem.ts'
import { parseSource, type SourceFile } from '../../src/lib/yaml-source.ts'

const adapters = {
  rest: createRestAdapter(),
  graphql: createGraphqlAdapter(),
  cli: createCliAdapter(),
}

const FILES: readonly (readonly [string, TSchema])[] = [
  ['a card', CardSource],
  ['upstream.yaml', UpstreamSource],
  ...Object.entries(adapters).flatMap(([name, { cardSchema, upstreamSchema }]) => [
    [`the section ${name} of a card`, cardSchema] as const,
    [`the section ${name} of upstream.yaml`, upstreamSchema] as const,
  ]),
]

interface Part extends TSchema {
  readonly items?: Part
  readonly anyOf?: readonly Part[]
  readonly properties?: Readonly<Record<string, Part>>
  readonly patternProperties?: Readonly<Record<string, Part>>
}

/** A schema and all those inside it, each with its place. */
function partsOf(schema: Part, place: string): readonly (readonly [string, Part])[] {
  const { items, anyOf = [], properties = {}, patternProperties = {} } = schema
  const inner = [
    ...Object.entries({ ...properties, ...patternProperties }),
    ...anyOf.entries(),
    ...(items ? [['items', items] as const] : []),
  ]
  return [[place, schema], ...inner.flatMap(([key, part]) => partsOf(part, `${place}.${key}`))]
}

function fixOf(keyword: string, schema: Part): string {
  const problems: Problem[] = []
  const source = { file: 'a.yaml', value: {}, lineOf: () => 1 }
  const params = { type: schema.type, allowedValues: schema.enum ?? [] }
  const error = { keyword, params, instancePath: '', schemaPath: '', parentSchema: schema }
  reportSchemaErrors(source, [], [error], problems)
  return problems[0]?.fix ?? ''
}

describe('a value of the wrong type is reported with the form of its key', () => {
  test.each(FILES)('in %s', (place, schema) => {
    const parts = partsOf(schema, place).filter(([, { type, anyOf }]) => type ?? anyOf)
    const vague = parts.filter(([, part]) => {
      const fix = fixOf(part.type === undefined ? 'anyOf' : 'type', part)
      return !/^(Write|Use one of)/.test(fix) || fix.includes('docs/cards.md')
    })
    expect(vague.map(([at]) => at)).toEqual([])
  })
})

test.each([
  ['version: 1', 'version', /^Write a text, .* The version of the card, such as 1\.0\.0\.$/],
  ['credential: A', 'credential', /^Write an object with members such as: env, passthrough/],
  [
    'credential: { env: A }',
    'credential.env',
    /^Write a list, such as \[a, b\]\. Tried in order\.$/,
  ],
  ['failures: { when: {} }', 'failures', /^Write a list of objects, each after a dash\.$/],
  [
    'failures: [{ when: { exit_code: "3" }, then: {} }]',
    'failures.0.when.exit_code',
    /^Write a whole number, without quotes, or a list, such as \[a, b\]\.$/,
  ],
])('the fix of %s says the form', (text, place, fix) => {
  const problems: Problem[] = []
  const source = parseSource('a.yaml', text) as SourceFile
  const schema = text.startsWith('version') ? CardSource : UpstreamSource
  reportSchemaErrors(source, [], compileSource(schema)(source.value), problems)
  const found = problems.find(({ message }) => message.startsWith(`${place} `))
  expect(found?.fix).toMatch(fix)
})
