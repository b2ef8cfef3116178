import type { TSchema } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { createCliAdapter } from '../../adapters/cli/index.ts'
import { createGraphqlAdapter } from '../../adapters/graphql/index.ts'
import { createRestAdapter } from '../../adapters/rest/index.ts'
import { reportSchemaErrors } from '../../src/cards/report.ts'
import { CardSource, UpstreamSource } from '../../src/cards/schema.ts'
import { compileSource } from '../../src/cards/validate.ts'
import type { Problem } from '../../src/lib/problem.ts'

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

const keys = FILES.flatMap(([place, schema]) =>
  Object.keys(schema.properties).map(key => ({ place, key, schema })),
)

describe('a value of the wrong type is reported with the form of its key', () => {
  test.each(keys)('$key of $place', ({ key, schema }) => {
    const problems = [7, 'a text', { a: 1 }, [{}], true].flatMap(value =>
      faultsOf(schema, key, value),
    )
    const vague = problems.filter(({ fix }) => fix.includes('docs/cards.md'))
    expect(vague).toEqual([])
  })
})

function faultsOf(schema: TSchema, key: string, value: unknown): readonly Problem[] {
  const problems: Problem[] = []
  const source = { file: 'a.yaml', value: { [key]: value }, lineOf: () => 1 }
  reportSchemaErrors(source, [], compileSource(schema)(source.value), problems)
  return problems.filter(({ message }) => message.startsWith(key))
}
