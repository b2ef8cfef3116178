import { describe, expect, test } from 'vitest'
import { loadPacks, writePack } from '../support/packs.ts'

const CARD = `id: thing.view
version: 1.0.0
description: A thing.
effect: read
input: { type: object, properties: {} }
output: { type: object, properties: { thing: {} } }
prefer: [graphql]
routes: { graphql: { document: "{ thing }", result: "{thing: body.thing}" } }
`

async function faultsOf(line: string, schema: string) {
  const pack = await writePack({
    'upstream.yaml': `id: thing\ngraphql:\n  url: https://example.com\n  ${line}\n`,
    'schema.graphql': schema,
    'thing.view.yaml': CARD,
    'thing.show.yaml': CARD.replace('thing.view', 'thing.show'),
  })
  return (await loadPacks([pack])).problems.map(({ file, message, line: at, fix }) => ({
    place: `${file.replace(`${pack}/`, '')}:${at}`,
    message,
    fix,
  }))
}

const SDL = 'type Query { thing: Int }'
const RELATIVE = 'Correct the path, which is relative to this file.'
const SCHEMA = 'Correct the schema, or fetch it again.'

describe('what upstream.yaml names is one problem if a start cannot use it', () => {
  test.each([
    ['sdl: none.graphql', SDL, 'sdl names none.graphql, which cannot be read (ENOENT)', RELATIVE],
    ['sdl: .', SDL, 'sdl names ., which cannot be read (EISDIR)', RELATIVE],
    [
      'sdl: [schema.graphql, "npm:no-such-package/a.graphql"]',
      SDL,
      'sdl names npm:no-such-package/a.graphql, which cannot be read (ERR_MODULE_NOT_FOUND)',
      'Install the package, or name a file.',
    ],
    ['sdl: schema.graphql', 'type Query {', 'sdl is no GraphQL schema: Syntax Error', SCHEMA],
    [
      'sdl: schema.graphql',
      'type Query { a: B }',
      'sdl is no GraphQL schema: Unknown type',
      SCHEMA,
    ],
    ['ca: none.pem', SDL, 'ca names none.pem, which cannot be read (ENOENT)', RELATIVE],
    ['ca: schema.graphql', SDL, 'ca names schema.graphql, which holds no certificate', /PEM file/],
    ['proxy: proxy', SDL, 'proxy is no address of an HTTP proxy', /such as http:\/\/proxy/],
    ['proxy: "user:secret@"', SDL, 'proxy is no address of an HTTP proxy', /such as http:/],
  ])('%s, with the schema %s', async (line, schema, message, fix) => {
    expect(await faultsOf(line, schema)).toEqual([
      {
        place: 'upstream.yaml:4',
        message: expect.stringContaining(`graphql.${message}`),
        fix: typeof fix === 'string' ? fix : expect.stringMatching(fix),
      },
    ])
  })

  test.each(['sdl: schema.graphql', 'proxy: ""', 'proxy: "http://127.0.0.1:3128"'])(
    '%s is none',
    async line => {
      expect(await faultsOf(line, SDL)).toEqual([])
    },
  )
})
