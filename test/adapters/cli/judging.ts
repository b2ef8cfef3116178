import { type Judgement, judgeRun } from '../../../adapters/cli/classify.ts'
import { unstarted } from '../../../adapters/cli/process-runner.ts'
import type { FinishedRun } from '../../../adapters/cli/run-facts.ts'
import { shippedRules } from '../../../adapters/cli/tool-rules.ts'
import type { SectionCompiler } from '../../../src/model/adapter.ts'

const compiler: SectionCompiler = {
  effect: null,
  expression: () => () => null,
  answerExpression: () => () => null,
  tree: () => () => null,
  problem: () => {},
  resolvePath: path => path,
  readText: () => '',
}

export const TOKEN = 'very-secret-token-of-the-test'

/** Judges what a program printed, without running one. */
export function judgeOutputOf(
  tool: string,
  printed: {
    exit?: number | null
    stderr?: string
    stdout?: string
    result?: Partial<FinishedRun['result']>
  },
  run: Partial<Omit<FinishedRun, 'result' | 'tool'>> = {},
): Judgement {
  const finished: FinishedRun = {
    result: {
      ...unstarted({ code: '', message: '' }),
      spawnError: null,
      exitCode: printed.exit ?? null,
      stdout: Buffer.from(printed.stdout ?? ''),
      stderr: Buffer.from(printed.stderr ?? ''),
      ...printed.result,
    },
    tool,
    format: 'json',
    okExitCodes: [0],
    accept: [],
    asked: new Set(),
    effect: 'read',
    oneRequest: false,
    acceptEmpty: false,
    command: [],
    input: {},
    ...run,
  }
  return judgeRun(finished, { rules: shippedRules(tool, compiler), secrets: [TOKEN], now: 0 })
}
