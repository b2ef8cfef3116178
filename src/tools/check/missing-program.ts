import { accessSync, constants } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { reportProblem } from '../../cards/report.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Problem } from '../../lib/problem.ts'
import type { SourceFile } from '../../lib/yaml-source.ts'

/**
 * Warns of a program that lies beside its `upstream.yaml`, but cannot run. A start takes it, because calls fall back to
 * another route. A program at an absolute path, or on the PATH, may be on another machine.
 */
export function checkProgram(source: SourceFile | null, warnings: Problem[]): void {
  const { cli } = isObject(source?.value) ? source.value : {}
  const { command } = isObject(cli) ? cli : {}
  if (!source || typeof command !== 'string' || !isBeside(command)) return
  const fault = faultOf(resolve(dirname(source.file), command))
  if (fault === null) return
  const message = `is ${command}, which ${fault.message}: calls skip this route`
  reportProblem(source, ['cli', 'command'], message, fault.fix, warnings)
}

function isBeside(command: string): boolean {
  return command.includes('/') && !isAbsolute(command) && !command.includes('${')
}

function faultOf(path: string): { readonly message: string; readonly fix: string } | null {
  try {
    accessSync(path, constants.X_OK)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
      ? { message: 'is not executable', fix: `Run chmod +x ${path}.` }
      : { message: 'does not exist', fix: 'Correct the path, which is relative to this file.' }
  }
}
