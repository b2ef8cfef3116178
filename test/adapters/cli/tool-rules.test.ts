import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { shippedRules } from '../../../adapters/cli/tool-rules.ts'
import { FailureRuleSource } from '../../../src/model/failure-rule.ts'
import { compiler } from './connected.ts'

const RULES = new URL('../../../capabilities/rules/', import.meta.url)
const TOOLS = ['aws', 'az', 'gh', 'glab', 'kubectl', 'terraform']

describe.each(TOOLS)('the rules for %s', tool => {
  it('match the schema of failure rules, and compile', () => {
    const source: unknown = load(readFileSync(new URL(`${tool}.yaml`, RULES), 'utf8'))
    const check = new Ajv().compile(Type.Object({ failures: Type.Array(FailureRuleSource) }))
    expect(check(source) ? [] : check.errors).toEqual([])
    expect(shippedRules(tool, compiler).length).toBeGreaterThan(0)
  })
})

it('rules are found by the file name of the program, in any directory', () => {
  expect(shippedRules('/usr/local/bin/gh', compiler)).toHaveLength(
    shippedRules('gh', compiler).length,
  )
  expect(shippedRules('../gh/tool-of-mine', compiler)).toEqual([])
})
