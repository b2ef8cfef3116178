import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createCliAdapter } from '../../../adapters/cli/index.ts'
import type { ProcessRunner } from '../../../adapters/cli/process-runner.ts'
import type { CliCardSection, CliUpstreamSection } from '../../../adapters/cli/schema.ts'
import { compileExpression, compileTree } from '../../../src/expressions/expression.ts'
import type { CallContext, Connection, SectionCompiler } from '../../../src/model/adapter.ts'
import type { Reply } from '../../../src/model/reply.ts'
import { SHORT_FORM } from '../../support/credentials.ts'

/** Compiles a section without a card, and throws the problems that a card would report. */
export const compiler: SectionCompiler = {
  effect: 'read',
  expression: text => compileExpression(text),
  answerExpression: text => compileExpression(text),
  tree: value => compileTree(value, text => compileExpression(text)),
  problem: (path, message) => {
    throw new Error(`${path.join('.')} ${message}`)
  },
  resolvePath: path => path,
  readText: path => readFileSync(path, 'utf8'),
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/cli/${name}`, import.meta.url))
}

export interface TestConnection extends AsyncDisposable {
  readonly connection: Connection
  call(card?: Partial<CliCardSection>, how?: CallOptions): Promise<Reply>
}

export interface CallOptions extends Partial<CallContext> {
  readonly input?: Readonly<Record<string, unknown>>
}

/** A connection to a fixture or any other program, which closes at the end of the test. */
export function connectTo(
  command: string,
  section: Partial<CliUpstreamSection> = {},
  createRunner?: () => ProcessRunner,
  now: () => number = Date.now,
  own: SectionCompiler = compiler,
): TestConnection {
  const adapter = createCliAdapter(createRunner ? { createRunner } : {})
  const connection = adapter.connect(
    { command, ...section },
    {
      upstream: 'test',
      schemes: SHORT_FORM,
      rules: [],
      compiler: own,
      now,
      searchPath: process.env.PATH ?? '',
    },
  )
  return {
    connection,
    call: async (card = {}, { input = {}, ...context } = {}) =>
      await connection
        .compile({ command: [], ...card }, compiler)
        .call({ input }, contextWith(context)),
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

export function contextWith(context: Partial<CallContext> = {}): CallContext {
  return {
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    effect: 'read',
    credential: null,
    requestId: 'request',
    ...context,
  }
}

/** Running processes with this text in their environment. Zombies have no environment, so they do not count. */
export function processesWith(home: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)
      } catch {
        return false
      }
    })
}
