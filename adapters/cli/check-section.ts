import { statSync } from 'node:fs'
import type { ConnectOptions, SectionCompiler } from '../../src/model/adapter.ts'
import { templateFault } from '../http/wire/credential-template.ts'
import type { CliUpstreamSection } from './schema.ts'

/** A path is relative to upstream.yaml, like every other file that it names; a bare name is looked up on PATH. */
export function commandPath({ command }: CliUpstreamSection, compiler: SectionCompiler): string {
  return command.includes('/') ? compiler.resolvePath(command) : command
}

/** Reports a directory that is not there: programs would not start, as if they were missing themselves. */
export function workingDirectory(
  { cwd }: CliUpstreamSection,
  compiler: SectionCompiler,
): string | null {
  if (cwd === undefined) return null
  const path = compiler.resolvePath(cwd)
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    compiler.problem(['cwd'], `${path} is no directory`, 'Create it, or correct the path.')
  }
  return path
}

const ENV_FIX = 'Name a scheme of this file, or add credential: { env: [NAME] }.'

export function checkEnvironment(
  env: Readonly<Record<string, string>>,
  { schemes, compiler }: ConnectOptions,
): void {
  for (const [name, text] of Object.entries(env)) {
    const fault = templateFault(text, schemes)
    if (fault !== null) compiler.problem(['env', name], fault, ENV_FIX)
  }
}
