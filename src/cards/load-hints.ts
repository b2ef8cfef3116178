import { type Static, Type } from '@sinclair/typebox'
import { en } from '../hints/en.ts'
import { Hint } from '../hints/hint.ts'
import { type CustomHint, LANGUAGES } from '../hints/registry.ts'
import type { Problem } from '../lib/problem.ts'
import type { SourceFile } from '../lib/yaml-source.ts'
import { HINT_ID } from '../model/hint-id.ts'
import { reportProblem, reportSchemaErrors } from './report.ts'
import type { UpstreamSource } from './schema.ts'
import { compileSource } from './validate.ts'

const [, ...TRANSLATED] = LANGUAGES

/** The form of `hints.yaml` in an upstream directory: id → hint. */
const HintsFile = Type.Record(
  Type.String({ pattern: HINT_ID }),
  Type.Object(
    {
      ...Hint.properties,
      translations: Type.Optional(
        Type.Object(
          Object.fromEntries(TRANSLATED.map(language => [language, Type.Optional(Type.String())])),
          { additionalProperties: false, description: `action in ${TRANSLATED.join(', ')}.` },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  { additionalProperties: false },
)

const check = compileSource(HintsFile)

/** Adds the hints of a file to `hints`. Reports faults like those of a card. */
export function readHints(
  source: SourceFile,
  hints: Map<string, CustomHint>,
  problems: Problem[],
): void {
  const before = problems.length
  reportSchemaErrors(source, [], check(source.value), problems)
  if (problems.length > before) return
  for (const [id, hint] of Object.entries(source.value as Static<typeof HintsFile>)) {
    if (hints.has(id) || Object.hasOwn(en, id)) {
      const fix = 'Give it another name, or the next number.'
      reportProblem(source, [id], 'is the id of another hint', fix, problems)
      continue
    }
    hints.set(id, hint as CustomHint)
  }
}

/** Reports failure rules that name a hint which does not exist. */
export function checkRuleHints(
  source: SourceFile,
  hints: ReadonlyMap<string, CustomHint>,
  problems: Problem[],
): void {
  const { failures = [] } = source.value as Pick<UpstreamSource, 'failures'>
  failures.forEach(({ then: { hint } }, index) => {
    if (hint === undefined || hints.has(hint) || Object.hasOwn(en, hint)) return
    const fix = 'Add it to hints.yaml in this folder, or name one of GET /v1/hints.'
    reportProblem(source, ['failures', index, 'then', 'hint'], 'names no hint', fix, problems)
  })
}
