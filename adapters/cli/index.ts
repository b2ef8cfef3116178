import type { Adapter } from '../../src/adapter.ts'
import { CliConnection } from './connection.ts'
import type { ProcessRunner } from './process-runner.ts'
import { createInProcessRunner } from './run-process.ts'
import { CliCardSection, CliUpstreamSection } from './schema.ts'

export interface CliAdapterOptions {
  /** Makes what starts the processes of one connection. @default one in this process */
  readonly createRunner?: () => ProcessRunner
}

/** Runs a program for each call: an argument vector, never a shell. */
export function createCliAdapter(options: CliAdapterOptions = {}): Adapter {
  const createRunner = options.createRunner ?? createInProcessRunner
  return {
    route: 'cli',
    cardSchema: CliCardSection,
    upstreamSchema: CliUpstreamSection,
    connect: (section, connectOptions) =>
      new CliConnection(section as CliUpstreamSection, connectOptions, createRunner()),
  }
}
