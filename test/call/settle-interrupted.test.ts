import { expect, test } from 'vitest'
import { settleInterrupted } from '../../src/call/settle-interrupted.ts'
import type { Run } from '../../src/engine/run.ts'
import type { FollowUp } from '../../src/model/card.ts'
import type { Warning } from '../../src/model/warnings.ts'

const step = { name: 'files', purpose: 'upload a file', when: null } as FollowUp
const each = {
  ...step,
  each: ({ input }) => (input as { files: unknown }).files,
  subject: ({ item }) => item,
} as FollowUp

test.each([
  ['one request', step, [null]],
  ['one for each member', each, ['a.txt', 'b.txt']],
])('a change found after a crash warns of its steps: %s', async (_, followUp, subjects) => {
  const warnings: Warning[] = []
  const run = {
    card: { effect: 'write', verify: {}, routes: [{ route: 'rest', followUps: [followUp] }] },
    plan: { candidates: [{ route: 'rest' }] },
    input: { files: ['a.txt', 'b.txt'] },
    warnings,
    engine: { state: { recentWrites: { otherGateways: true } } },
    verify: async () => ({ kind: 'found', data: {} }),
  } as unknown as Run
  expect(await settleInterrupted(run, 0)).toMatchObject({ ok: true, reason: 'RECOVERED' })
  expect(warnings.map(({ details }) => details?.subject ?? null)).toEqual(subjects)
  expect(warnings[0]).toMatchObject({
    code: 'STEP_NOT_DONE',
    message: expect.stringMatching(/may not have been sent, as the gateway stopped/),
  })
})

test.each([
  ['a card that cannot verify', null],
  ['a check that found nothing out', {}],
])('the gateway is the source of a doubt that it left: %s', async (_, verify) => {
  const run = {
    card: { effect: 'write', verify, routes: [] },
    plan: { candidates: [{ route: 'rest' }] },
    verify: async () => ({ kind: 'unknown' }),
  } as unknown as Run
  expect(await settleInterrupted(run, 0)).toMatchObject({
    ok: false,
    failure: { code: 'UNKNOWN', source: 'gateway', writeOutcome: 'unknown' },
  })
})
