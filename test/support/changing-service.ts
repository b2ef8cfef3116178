import { mkdtemp, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openService, type Received, type Service, sendJson } from './service.ts'

type Respond = (response: ServerResponse, request: Received) => void | Promise<void>

/** A service whose every answer has the next number, so that an answer from memory shows. */
export interface ChangingService extends Service {
  /** Answers requests of a method otherwise, until it is null. */
  fault: { readonly method: string; readonly respond: Respond } | null
}

export async function openChangingService(): Promise<ChangingService> {
  let count = 0
  let fault: ChangingService['fault'] = null
  const service = await openService(async (request, response) => {
    if (fault?.method === request.method) await fault.respond(response, request)
    else sendJson(response, { n: ++count })
  })
  return Object.defineProperty({ ...service, fault }, 'fault', {
    get: () => fault,
    set: (next: ChangingService['fault']) => {
      fault = next
    },
  })
}

const card = (id: string, effect: string, method: string, more = '') => `
id: ${id}
version: 1.0.0
description: Test.
effect: ${effect}
${more}
input: { type: object, additionalProperties: false, required: [name], properties: { name: { type: string } } }
output: { type: object, required: [n], properties: { n: { type: integer }, text: { type: [string, 'null'] } } }
prefer: [rest]
routes:
  rest: { method: ${method}, path: "/${id}/{name}", result: "{n: body.n, text: body.text}" }
`

/** The caller removes the directory. Reads `part.view`, `part.list` and `tool.view`; and changes that touch all, some or none of them. */
export async function writeChangingPack({ url }: Service): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-pack-'))
  const files = {
    'upstream.yaml': `
id: things
credential: { env: [THINGS_TOKEN], passthrough: true, required: false }
rest: { base_url: "${url}" }
keeps: [{ changes: ["tool.*", part.change], reads: ["part.*"] }]
`,
    'part.view.yaml': card('part.view', 'read', 'GET'),
    'part.list.yaml': card('part.list', 'read', 'GET'),
    'tool.view.yaml': card('tool.view', 'read', 'GET'),
    'any.change.yaml': card('any.change', 'write', 'POST'),
    'any.replace.yaml': card('any.replace', 'idempotent', 'PUT'),
    'tool.change.yaml': card('tool.change', 'write', 'POST'),
    'part.change.yaml': card('part.change', 'write', 'POST', 'touches: ["part.*"]'),
    'log.append.yaml': card('log.append', 'write', 'POST', 'touches: []'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return directory
}
