import { tmpdir } from 'node:os'
import { vi } from 'vitest'
import { createProgram } from '../../../src/commands/program.ts'
import { describeError } from '../../../src/commands/report-error.ts'
import type { Ended, Variables } from './signalbox.ts'

/**
 * Runs a command as `signalbox()` does, but in this process: tests with many commands would spend most of their time on
 * starts. Runs one at a time.
 */
export async function runHere(args: readonly string[], env: Variables = {}): Promise<Ended> {
  const texts = { stdout: '', stderr: '' }
  const capture = (name: 'stdout' | 'stderr') =>
    vi.spyOn(process[name], 'write').mockImplementation(text => {
      texts[name] += String(text)
      return true
    })
  const spies = [capture('stdout'), capture('stderr')]
  const before = { env: process.env, exitCode: process.exitCode, directory: process.cwd() }
  process.env = { PATH: process.env.PATH, ...env }
  process.exitCode = undefined
  process.chdir(tmpdir())
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...texts }
  } catch (error) {
    return { code: 1, ...texts, stderr: `${texts.stderr}signalbox: ${describeError(error)}\n` }
  } finally {
    process.chdir(before.directory)
    process.exitCode = before.exitCode
    process.env = before.env
    for (const spy of spies) spy.mockRestore()
  }
}
