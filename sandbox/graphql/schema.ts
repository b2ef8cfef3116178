import { readFileSync } from 'node:fs'
import { buildASTSchema, type GraphQLSchema, parse } from 'graphql'

/** Types that the published schema lacks. The GitHub capabilities use the same file. */
const ADDITIONS = new URL('../../capabilities/github/additions.graphql', import.meta.url)

let schema: GraphQLSchema | undefined

/** GitHub's official schema, built once per process and shared by all sandboxes in it. */
export function loadSchema(): GraphQLSchema {
  schema ??= buildSchema()
  return schema
}

function buildSchema(): GraphQLSchema {
  const package_ = import.meta.resolve('@octokit/graphql-schema')
  const published = readFileSync(new URL('./schema.graphql', package_), 'utf8')
  const sdl = published + readFileSync(ADDITIONS, 'utf8')
  // Two thirds of the file are descriptions. Without them, parsing takes a third of the time.
  const bare = sdl.replaceAll(/"""[\s\S]*?"""/g, '')
  // The official file declares one field twice, which validation would refuse.
  return buildASTSchema(parse(bare, { noLocation: true }), {
    assumeValid: true,
    assumeValidSDL: true,
  })
}
