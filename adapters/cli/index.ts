import type { Adapter } from '../../src/model/adapter.ts'
import { CliConnection } from './connection.ts'
import type { ProcessRunner } from './process-runner.ts'
import { CliCardSection, CliUpstreamSection } from './schema.ts'
import { createHelperRunner } from './spawn-client.ts'

export interface CliAdapterOptions {
  /** Creates the runner for one connection's processes. @default a runner with a helper process */
  readonly createRunner?: () => ProcessRunner
}

/** Runs a program for each call, with an argument vector and never a shell. */
export function createCliAdapter(options: CliAdapterOptions = {}): Adapter {
  const createRunner = options.createRunner ?? createHelperRunner
  return {
    route: 'cli',
    cardSchema: CliCardSection,
    upstreamSchema: CliUpstreamSection,
    connect: (section, connectOptions) =>
      new CliConnection(section as CliUpstreamSection, connectOptions, createRunner()),
  }
}
