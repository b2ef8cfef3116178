import type { Adapter } from '../../src/model/adapter.ts'
import { CliConnection } from './connection.ts'
import type { ProcessRunner } from './process-runner.ts'
import { CliCardSection, CliUpstreamSection } from './schema.ts'
import { createHelperRunner } from './spawn-client.ts'

export interface CliAdapterOptions {
  /** Makes what starts the processes of one connection. @default one with a helper process */
  readonly createRunner?: () => ProcessRunner
}

/** Runs a program for each call: an argument vector, never a shell. */
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
