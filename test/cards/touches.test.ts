import { expect, test } from 'vitest'
import { loadPacks, writePack } from '../support/packs.ts'

const UPSTREAM = 'id: thing\nrest: { base_url: "http://127.0.0.1:1" }\n'

const card = (id: string, effect: string, more: string) => `
id: ${id}
version: 1.0.0
description: Test.
effect: ${effect}
${more}
input: { type: object }
output: { type: object }
prefer: [rest]
routes:
  rest: { method: ${effect === 'read' ? 'GET' : 'POST'}, path: /thing, result: body }
`

async function faultsOf(effect: string, more: string): Promise<readonly string[]> {
  const pack = await writePack({
    'upstream.yaml': UPSTREAM,
    'thing.view.yaml': card('thing.view', 'read', ''),
    'thing.edit.yaml': card('thing.edit', effect, more),
  })
  return (await loadPacks([pack])).problems.map(({ message }) => message)
}

test.each([
  ['names of reads', 'touches: [thing.view]'],
  ['patterns', 'touches: ["thing.*"]'],
  ['nothing', 'touches: []'],
])('a change may touch %s', async (_, touches) => {
  expect(await faultsOf('write', touches)).toEqual([])
})

test.each([
  ['a pattern without a read', 'write', 'touches: [thing.edit]', 'matches no read'],
  ['a misspelt name', 'write', 'touches: [thing.veiw]', 'matches no read'],
  ['no pattern', 'write', 'touches: ["Thing View"]', 'must match'],
  ['the same twice', 'write', 'touches: [thing.view, thing.view]', 'duplicate'],
  ['anything by a read', 'read', 'touches: [thing.view]', 'has no effect on a read'],
])('touching %s is a fault', async (_, effect, touches, fault) => {
  const faults = await faultsOf(effect, touches)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(fault)
})
