import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatProblem, type Problem } from '../../lib/problem.ts'
import { parseSource, type SourceFile } from '../../lib/yaml-source.ts'
import type { Card } from '../../model/card.ts'
import { type ApiCall, callsOf } from './calls.ts'
import type { Scope } from './evaluate.ts'
import { checkGraphqlCall, readSchemas, type Schemas } from './graphql.ts'
import type { OpenApi } from './openapi.ts'
import type { ReportFault } from './report-fault.ts'
import { checkRestCall } from './rest.ts'
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
  /** Keyed by their texts, because several samples find the same fault. */
  readonly problems: Map<string, Problem>
}

/** Compares every call of the cards with the APIs that GitHub publishes. */
export function checkContract(cards: readonly Card[], openApi: OpenApi): ContractReport {
  const report = emptyReport()
  const contract = { openApi, schemas: readSchemas(additionsTo(cards)) }
  for (const card of cards) checkCard(card, readFileSync(card.file, 'utf8'), contract, report)
  return report
}

export function emptyReport(): ContractReport {
  return { documents: 0, restCalls: 0, extended: new Set(), problems: new Map() }
}

/** Checks one card against the contract. `text` is the content of its file. */
export function checkCard(
  card: Card,
  text: string,
  contract: Contract,
  report: ContractReport,
): void {
  const source = parseSource(card.file, text)
  // Faulty YAML was already reported when the card was loaded.
  if (!('value' in source)) return
  const reportFault = faultReporter(source, report.problems)
  const scopes = sampleInputs(card).map(toScope)
  for (const call of callsOf(source.value)) {
    if (call.kind === 'graphql') report.documents += 1
    if (call.kind === 'rest') report.restCalls += 1
    const isExtended = checkCall(call, scopes, contract, reportFault)
    if (isExtended) report.extended.add(card.id)
  }
}

function toScope(input: Scope): Scope {
  return {
    input,
    page: { number: 1, size: 30, cursor: 'Y3Vyc29yOjMw' },
    // oxlint-disable-next-line unicorn/no-thenable -- a name in the scope of cards
    then: {},
    lookup: {},
    body: null,
  }
}

/** Returns whether the call needs more than the published schema. */
function checkCall(
  call: ApiCall,
  scopes: readonly Scope[],
  { openApi, schemas }: Contract,
  report: ReportFault,
): boolean {
  switch (call.kind) {
    case 'graphql':
      return checkGraphqlCall(schemas, call, scopes, report)
    case 'rest':
      checkRestCall({ openApi, call, scopes, report })
      return false
    case 'unchecked':
      if (call.problem !== null) {
        report(call.at, call.problem, 'Pass a body through stdin, and parameters in the path.')
      }
      return false
  }
}

const ADDITIONS = 'additions.graphql'

/** GraphQL definitions in the cards' folders that GitHub has not published; null when there are none. */
export function additionsTo(cards: readonly Card[]): string | null {
  const folders = new Set(cards.map(({ file }) => dirname(file)))
  const files = [...folders].map(folder => join(folder, ADDITIONS)).filter(file => existsSync(file))
  return files.length === 0 ? null : files.map(file => readFileSync(file, 'utf8')).join('\n')
}

function faultReporter(source: SourceFile, problems: Map<string, Problem>): ReportFault {
  return (path, message, fix) => {
    const problem = {
      file: source.file,
      line: source.lineOf(path),
      message: `${path.join('.')} ${message}`,
      fix,
    }
    problems.set(formatProblem(problem), problem)
  }
}
