import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFailureRule } from '../../src/expressions/failure-rules.ts'
import { parseShipped } from '../../src/lib/yaml-source.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { FailureRule, FailureRuleSource } from '../../src/model/failure-rule.ts'

const SHIPPED = new URL('../../capabilities/rules/', import.meta.url)

/**
 * The gateway's own failure rules for a well-known program, found by its file name: an upstream whose
 * `cli.command` is `gh` or `/usr/bin/gh` gets `capabilities/rules/gh.yaml`. The upstream's own rules come
 * first.
 */
export function shippedRules(command: string, compiler: SectionCompiler): FailureRule[] {
  const tool = basename(command).replace(/\.exe$/i, '')
  const file = fileURLToPath(new URL(`${tool}.yaml`, SHIPPED))
  if (!/^[a-z0-9-]+$/.test(tool) || !existsSync(file)) return []
  const { failures } = parseShipped(file, readFileSync(file, 'utf8')) as {
    failures: FailureRuleSource[]
  }
  return failures.map(rule => {
    const { body } = rule.when
    return compileFailureRule(rule, body === undefined ? null : compiler.expression(body, []))
  })
}
