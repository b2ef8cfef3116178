import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from '../../src/model/audit.ts'

test('the inspector filters by every action of the audit', () => {
  // The page runs in a browser without a build, so it cannot import the list.
  const page = readFileSync(new URL('../../inspector/web/pages/audit.js', import.meta.url), 'utf8')
  const [, list = ''] = /const ACTIONS = \[([^\]]*)\]/.exec(page) ?? []
  const actions = [...list.matchAll(/'([^']+)'/g)].map(([, action]) => action)
  expect(actions).toEqual([...AUDIT_ACTIONS])
})
