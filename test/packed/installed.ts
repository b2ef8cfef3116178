import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../docs/pages.ts'

const execute = promisify(execFile)

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The tarball of this checkout, installed in a folder that was empty. */
export interface Installed extends AsyncDisposable {
  readonly folder: string
  /** The tarball's files, by their path in the package. */
  readonly files: readonly string[]
  /** The files that it changed in the checkout, according to git. */
  readonly changed: string
  /** Runs a program in the folder, with no variables but these. */
  run(program: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>
}

export async function installPacked(): Promise<Installed> {
  const place = await mkdtemp(join(tmpdir(), 'sb-packed-'))
  const before = await statusOf(root)
  const tarball = await pack(place)
  const after = await statusOf(root)
  const folder = join(place, 'empty')
  await mkdir(folder)
  await npm(['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], folder)
  return {
    folder,
    files: await filesOf(tarball),
    changed: after === before ? '' : after,
    run: (program, args, env = {}) => run(program, args, { cwd: folder, env: clean(env) }),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true }),
  }
}

async function pack(destination: string): Promise<string> {
  const out = await npm(['pack', '--json', '--pack-destination', destination], root)
  // Before it come the lines of the scripts.
  const [packed] = JSON.parse(out.slice(out.search(/^\[/m))) as [{ filename: string }]
  return join(destination, packed.filename)
}

async function filesOf(tarball: string): Promise<string[]> {
  const { stdout } = await execute('tar', ['-tzf', tarball], { maxBuffer: 2 ** 24 })
  const names = stdout.trim().split('\n')
  return names.map(name => name.replace(/^package\//, ''))
}

async function statusOf(folder: string): Promise<string> {
  if (!existsSync(join(folder, '.git'))) return ''
  const { stdout } = await execute('git', ['status', '--porcelain'], { cwd: folder })
  return stdout
}

/** With the settings of npm of whoever runs it, such as a registry and its certificate. */
async function npm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await execute('npm', args, { cwd, maxBuffer: 2 ** 24 })
  return stdout
}

async function run(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<Ended> {
  try {
    return { code: 0, ...(await execute(program, args, options)) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ended
    return { code, stdout, stderr }
  }
}

/** Node as it runs this; nothing of the checkout's programs. */
export function clean(env: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  const own = PATH.split(':').filter(path => !path.includes('node_modules'))
  return { PATH: [dirname(process.execPath), ...own].join(':'), HOME, ...env }
}
