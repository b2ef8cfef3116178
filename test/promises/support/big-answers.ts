import { startTestGateway } from '../../support/gateway.ts'
import { writePack } from '../../support/packs.ts'
import { startService } from '../../support/service.ts'

const card = (route: string, section: string) => `
id: thing.read.${route}
version: 1.0.0
description: Read a thing.
effect: read
input: { type: object, additionalProperties: false, properties: { at: { type: integer } } }
output: { type: object, properties: { value: {} } }
prefer: [${route}]
routes:
  ${route}:
${section}
`

/** Cards that read a thing, by each route. */
export const FILES = (url: string) => ({
  'upstream.yaml': `
id: thing
description: Answers.
rest: { base_url: "${url}" }
graphql: { url: "${url}/graphql" }
cli: { command: sh }
`,
  'thing.read.rest.yaml': card(
    'rest',
    `    method: GET\n    path: /thing\n    result: "{value: body}"`,
  ),
  'thing.read.graphql.yaml': card(
    'graphql',
    `    document: "query Read { value }"\n    result: "{value: body.value}"`,
  ),
  'thing.read.cli.yaml': card(
    'cli',
    `    command: [-c, "head -c 60000 /dev/zero | tr '\\\\0' 1"]\n    parse: text\n    result: "{value: body}"`,
  ),
})

/** An answer of 60 kB, in JSON. */
const TEXT = JSON.stringify('x'.repeat(60_000))

/** A service that answers with 60 kB, or the given text, and a directory with the cards. */
export async function startBigService(text = TEXT) {
  const service = await startService(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(url === '/graphql' ? `{"data":{"value":${text}}}` : text)
  })
  return await writePack(FILES(service.url))
}

export async function openPlace(maxHeld: number, text?: string) {
  const capabilities = [await startBigService(text)]
  return await startTestGateway({ settings: { capabilities, max_held_bytes: maxHeld } })
}
