import { writePack } from '../support/packs.ts'

/** A card that reads a path of the service `echo`, and returns the answer as `data.said`. */
export function readCard(id: string, more = '', route = ''): string {
  return `
id: ${id}
version: 1.0.0
description: Read what the service says.
effect: read
${more}
input: { type: object, properties: { text: { type: string } } }
output: { type: object, properties: { said: {} } }
prefer: [rest]
routes:
  rest:
    method: GET
    path: /${id}
    query: { text: input.text }
    ${route}
    result: "{said: body}"
`
}

/** A card that reads, and one that changes something. */
export const READ_AND_WRITE = {
  'echo.view': readCard('echo.view'),
  'echo.make': readCard('echo.make')
    .replace('effect: read', 'effect: write')
    .replace('method: GET', 'method: POST'),
}

/** A pack with the upstream `echo`. */
export async function echoPack(
  url: string,
  credentials: string,
  cards: Readonly<Record<string, string>> = { 'echo.view': readCard('echo.view') },
): Promise<string> {
  const files = Object.entries(cards).map(([id, text]) => [`${id}.yaml`, text] as const)
  return await writePack({
    'upstream.yaml': `
id: echo
description: Echoes.
rest: { base_url: "${url}" }
${credentials}
`,
    ...Object.fromEntries(files),
  })
}
