import { expect, test } from 'vitest'
import { touchedReads } from '../../src/model/kept-reads.ts'
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

async function faultsOf(effect: string, more: string, keeps = ''): Promise<readonly string[]> {
  const pack = await writePack({
    'upstream.yaml': UPSTREAM + keeps,
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
  ['no pattern', 'write', 'touches: ["Thing View"]', 'must not have a space'],
  ['the same twice', 'write', 'touches: [thing.view, thing.view]', 'repeats item 0'],
  ['anything by a read', 'read', 'touches: [thing.view]', 'has no effect on a read'],
])('touching %s is a fault', async (_, effect, touches, fault) => {
  const faults = await faultsOf(effect, touches)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(fault)
})

test('a name that matches nothing is reported at its line', async () => {
  const pack = await writePack({
    'upstream.yaml': UPSTREAM + keeping('thing.veiw', 'thing.view'),
    'thing.view.yaml': card('thing.view', 'read', ''),
    'thing.edit.yaml': card('thing.edit', 'write', 'touches: [thing.veiw]'),
  })
  const { problems } = await loadPacks([pack])
  expect(problems.map(({ line }) => line)).not.toContain(null)
  expect(problems).toHaveLength(2)
})

const keeping = (changes: string, reads: string) =>
  `keeps: [{ changes: [${changes}], reads: [${reads}] }]\n`

test('an upstream may say which changes leave answers in memory', async () => {
  expect(await faultsOf('write', '', keeping('thing.edit', '"thing.*"'))).toEqual([])
})

test.each([
  ['a change that is a read', keeping('thing.view', 'thing.view'), 'matches no change'],
  ['a read that is a change', keeping('thing.edit', 'thing.edit'), 'matches no read'],
  ['no reads', keeping('thing.edit', ''), 'at least 1 item'],
])('keeping with %s is a fault', async (_, keeps, fault) => {
  const faults = await faultsOf('write', '', keeps)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(fault)
})

test("an upstream's rules are about the cards of its own folder alone", async () => {
  const base = await writePack({
    'upstream.yaml': UPSTREAM + keeping('"thing.*"', '"thing.*"'),
    'thing.view.yaml': card('thing.view', 'read', ''),
    'thing.edit.yaml': card('thing.edit', 'write', ''),
  })
  const own = await writePack({
    'upstream.yaml': 'use: thing\n',
    'thing.sum.yaml': card('thing.sum', 'read', ''),
    'thing.add.yaml': card('thing.add', 'write', ''),
  })
  const { cards, problems } = await loadPacks([base, own])
  expect(problems).toEqual([])
  const all = [...cards.values()]
  const touchedBy = (id: string) => {
    const change = cards.get(id)
    return (
      change &&
      touchedReads(
        change,
        all.filter(({ effect }) => effect === 'read'),
      )
    )
  }
  expect(touchedBy('thing.edit')).toEqual(['thing.sum'])
  expect(touchedBy('thing.add')).toBeNull()
})
