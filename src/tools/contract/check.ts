import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatProblem, type Problem } from '../../lib/problem.ts'
import { type KeyPath, parseSource, type SourceFile } from '../../lib/yaml-source.ts'
import type { Card } from '../../model/card.ts'
import { callsOf } from './calls.ts'
import { checkGraphqlCall, readSchemas, type Schemas } from './graphql.ts'
import type { OpenApi } from './openapi.ts'
import { checkRestCall, type Report } from './rest.ts'
import { sampleInputs } from './sample.ts'

export interface Contract {
  readonly openApi: OpenApi
  readonly schemas: Schemas
}

export interface ContractReport {
  documents: number
  restCalls: number
  /** Capabilities whose documents need more than the published schema. */
  readonly extended: Set<string>
  /** By their texts: samples find one fault many times. */
  readonly problems: Map<string, Problem>
}

/** Holds every call that cards make against what GitHub publishes of its APIs. */
export function checkContract(cards: readonly Card[], openApi: OpenApi): ContractReport {
  const report = emptyReport()
  const schemas = readSchemas(additionsTo(cards))
  for (const card of cards) {
    checkCard(card, readFileSync(card.file, 'utf8'), { openApi, schemas }, report)
  }
  return report
}

export function emptyReport(): ContractReport {
  return { documents: 0, restCalls: 0, extended: new Set(), problems: new Map() }
}

/** Checks one card, whose file has this text. */
export function checkCard(
  card: Card,
  text: string,
  { openApi, schemas }: Contract,
  report: ContractReport,
): void {
  const source = parseSource(card.file, text)
  // Loading the card has told already what its YAML lacks.
  if (!('value' in source)) return
  const tell = teller(source, report.problems)
  const scopes = sampleInputs(card).map(input => ({
    input,
    page: { number: 1, size: 30, cursor: 'Y3Vyc29yOjMw' },
    // oxlint-disable-next-line unicorn/no-thenable -- a name in the scope of cards
    then: {},
    lookup: {},
    body: null,
  }))
  for (const call of callsOf(source.value)) {
    if (call.kind === 'graphql') {
      report.documents += 1
      if (checkGraphqlCall(schemas, call, scopes, tell)) report.extended.add(card.id)
    } else if (call.kind === 'rest') {
      report.restCalls += 1
      checkRestCall(openApi, call, scopes, tell)
    } else if (call.problem !== null) {
      tell(call.at, call.problem, 'Give a body through stdin, and parameters in the path.')
    }
  }
}

const ADDITIONS = 'additions.graphql'

/** What a folder of cards says about GitHub's schema beyond the published one. */
export function additionsTo(cards: readonly Card[]): string | null {
  const folders = new Set(cards.map(({ file }) => dirname(file)))
  const files = [...folders].map(folder => join(folder, ADDITIONS)).filter(file => existsSync(file))
  return files.length === 0 ? null : files.map(file => readFileSync(file, 'utf8')).join('\n')
}

function teller(source: SourceFile, problems: Map<string, Problem>): Report {
  return (path: KeyPath, message, fix) => {
    const problem = {
      file: source.file,
      line: source.lineOf(path),
      message: `${path.join('.')} ${message}`,
      fix,
    }
    problems.set(formatProblem(problem), problem)
  }
}
