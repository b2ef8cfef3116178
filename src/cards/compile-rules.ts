import { compileFailureRule } from '../expressions/failure-rules.ts'
import { messageOf } from '../lib/message-of.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { SectionCompiler } from '../model/adapter.ts'
import type { FailureRule, FailureRuleSource } from '../model/failure-rule.ts'
import { reportProblem } from './report.ts'
import type { UpstreamSource } from './schema.ts'
import { createSectionCompiler } from './section.ts'

/** Reads a shipped set of failure rules; null when there is none of that name. */
export type FailurePack = (name: string) => readonly FailureRuleSource[] | null

/** The failure rules of an upstream: its own first, then those of the packs that it names. */
export function compileRules(
  { failures = [], failure_packs: packs = [] }: UpstreamSource,
  source: SourceFile,
  failurePack: FailurePack,
  problems: Problem[],
): FailureRule[] {
  const compiler = replyCompiler(source, ['failures'], problems)
  const own = failures.flatMap((rule, index) => compileRule(rule, [index], compiler))
  const shipped = packs.flatMap((name, index) => {
    const rules = failurePack(name)
    if (rules) return rules.flatMap(rule => compileRule(rule, [], compiler))
    const message = `names "${name}", which is not shipped`
    const fix = 'Name one of capabilities/rules/*.yaml, or write the rules under failures.'
    reportProblem(source, ['failure_packs', index], message, fix, problems)
    return []
  })
  return [...own, ...shipped]
}

function compileRule(
  rule: FailureRuleSource,
  path: KeyPath,
  compiler: SectionCompiler,
): FailureRule[] {
  const { body } = rule.when
  const predicate = body === undefined ? null : compiler.expression(body, [...path, 'when', 'body'])
  try {
    return [compileFailureRule(rule, predicate)]
  } catch (error) {
    const fix = 'Correct the regular expression.'
    compiler.problem(path, `does not compile: ${messageOf(error)}`, fix)
    return []
  }
}

/** For a section of `upstream.yaml`, whose expressions see one answer of the service. */
export function replyCompiler(
  source: SourceFile,
  base: KeyPath,
  problems: Problem[],
): SectionCompiler {
  const names = { roots: ['body', 'status', 'headers'], inputs: null }
  return createSectionCompiler({ source, base, effect: null, names, problems })
}
