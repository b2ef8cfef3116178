import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { load } from 'js-yaml'
import { compileFailureRule } from '../../src/expressions/failure-rules.ts'
import type { FailureRule, FailureRuleSource } from '../../src/model/failure-rule.ts'
import { testCompiler } from '../contract/adapter.ts'

const CAPABILITIES = new URL('../../capabilities/', import.meta.url)

/**
 * The shipped rules for the upstream of a case: `github-rest` has those of `github/upstream.yaml`,
 * `gitlab-graphql` those of `rules/gitlab.yaml`, any other upstream none. An enterprise server is declared with the
 * same rules: `github-enterprise-rest` has those of `github`.
 */
export function rulesFor(upstream: string): FailureRule[] {
  const name = upstream.replace(/-(rest|graphql|api|http)$/, '').replace(/-enterprise$/, '')
  const compiler = testCompiler()
  return [`${name}/upstream.yaml`, `rules/${name}.yaml`].flatMap(readRules).map(rule => {
    const { body } = rule.when
    return compileFailureRule(rule, body === undefined ? null : compiler.expression(body, []))
  })
}

function readRules(path: string): FailureRuleSource[] {
  const file = fileURLToPath(new URL(path, CAPABILITIES))
  if (!existsSync(file)) return []
  return (load(readFileSync(file, 'utf8')) as { failures?: FailureRuleSource[] }).failures ?? []
}
