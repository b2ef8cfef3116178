import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'

/**
 * Half of V8's young generation, in MB. V8's own choice follows the memory of the machine: 64 MB on a large one, and 1 MB in
 * a container of 512 MB, where a call then costs twice the CPU time. V8 would begin with 1 MB, and go back to it whenever
 * a gateway rests (docs/decisions/memory.md).
 */
const SEMI_SPACE_MB = 16
const SEMI_SPACE = /--(?:max|min)[-_]semi[-_]space[-_]size/

/**
 * Gives this process a young generation of a fixed size and one arena of malloc. V8 and malloc read both only when a
 * process starts, so it starts again in its own place, with the same process id. Workers inherit both. An operator who
 * sets the flag, in NODE_OPTIONS too, keeps their own.
 */
export function restartLean(): void {
  const { execPath, execArgv, argv, env } = process
  const isSet = [...execArgv, env.NODE_OPTIONS ?? ''].some(flag => SEMI_SPACE.test(flag))
  // A new process could not use the channel to the one that started it. Windows has no execve.
  if (isSet || process.connected || process.platform === 'win32') return
  // Under Node's permission model, a process that may start no other may not replace itself.
  if (process.permission?.has('child') === false) return
  const sizes = ['max', 'min'].map(bound => `--${bound}-semi-space-size=${SEMI_SPACE_MB}`)
  const flags = [...sizes, ...execArgv]
  process.execve?.(execPath, [execPath, ...flags, ...argv.slice(1)], {
    // Threads that compile would each keep an arena, with some megabytes that they need no more.
    MALLOC_ARENA_MAX: '1',
    ...env,
  })
}

/**
 * Lets threads and other processes of the gateway use the compile cache, which they look up in the environment. Without it,
 * each of them loads Node's TypeScript compiler, 20 to 30 MB.
 */
export function shareCompileCache(): void {
  const directory = getCompileCacheDir()
  // Node appends a folder for its version.
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= dirname(directory)
}
