import { expect, test } from 'vitest'
import {
  AUDIT_ACTIONS,
  usedParameters,
  wrongParameters,
} from '../../inspector/web/model/page-query.js'
import { AUDIT_ACTIONS as OF_GATEWAY } from '../../src/model/audit.ts'

type Page = Parameters<typeof usedParameters>[0]

test.each<[Page, string, string, string[]]>([
  ['audit', 'action=key.added&actor=chief', 'action=key.added&actor=chief', []],
  ['audit', 'action=nope&actor=chief', 'actor=chief', ['action=nope']],
  ['audit', `subject=${'x'.repeat(201)}`, '', [`subject=${'x'.repeat(201)}`]],
  ['audit', 'actor=', '', []],
  ['audit', 'actor=a&actor=a', 'actor=a', ['actor=a']],
  ['audit', 'colour=red&after=c1', 'after=c1', ['colour=red']],
  ['approvals', 'status=nope', '', ['status=nope']],
  ['overview', 'span=1h&sort=nope', 'span=1h', ['sort=nope']],
])('of the address %s?%s the page uses %j, and names the rest', (page, query, used, wrong) => {
  const parameters = new URLSearchParams(query)
  expect(usedParameters(page, parameters).toString()).toBe(used)
  expect(wrongParameters(page, parameters).map(one => `${one.name}=${one.value}`)).toEqual(wrong)
})

test('the page of the audit knows the decisions of the gateway', () => {
  expect(AUDIT_ACTIONS).toEqual(OF_GATEWAY)
})
