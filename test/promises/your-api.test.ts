import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPage, root } from '../docs/pages.ts'
import { freePort } from '../support/free-port.ts'

const TIMEOUT_MS = 120_000
/** A newcomer's npx, which finds the project's commands from any folder. */
const NPX = `#!/bin/sh
name=$1; shift
[ "$name" = signalbox ] && exec "${process.execPath}" "${join(root, 'bin/signalbox.js')}" "$@"
[ "$name" = node ] && exec "${process.execPath}" "$@"
exit 127
`
/** Commands that run until somebody stops them, and the line that says that they are ready. */
const SERVERS = /^npx (node|signalbox serve) /
const READY = /listens? on|listening on/

interface Fence {
  readonly language: string
  readonly text: string
  /** The last file that the text before the block names. */
  readonly file: string
}

const page = readPage('docs/your-api.md')
const sections = page.split(/^## /m).map(text => ({ title: text.split('\n')[0] ?? '', text }))
const servers: ChildProcess[] = []
const exported: string[] = []
let directory: string
let ports: { readonly shop: number; readonly gateway: number }

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'your-api-')))
  ports = { shop: await freePort(), gateway: await freePort() }
  await mkdir(join(directory, 'bin'))
  await writeFile(join(directory, 'bin/npx'), NPX)
  await chmod(join(directory, 'bin/npx'), 0o755)
  await cp(join(root, 'docs/your-api'), join(directory, 'docs/your-api'), { recursive: true })
  const document = join(directory, 'docs/your-api/openapi.yaml')
  await writeFile(document, here(await readFile(document, 'utf8')))
})
afterAll(async () => {
  await Promise.all(servers.map(stop))
  await rm(directory, { recursive: true })
})

test.each(sections)(
  'docs/your-api.md works word by word: $title',
  { timeout: TIMEOUT_MS },
  async ({ text }) => {
    let printed = ''
    for (const { language, text: block, file } of fencesOf(here(text))) {
      if (language === 'yaml' || language === 'js') await save(file, block)
      else if (language === 'sh') printed = await run(block)
      else if (language === 'json') expectAnswers(printed, block)
      else expect(printed).toContain(block)
    }
  },
)

function fencesOf(text: string): Fence[] {
  let end = 0
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(match => {
    const before = text.slice(end, match.index)
    end = match.index + match[0].length
    const [, file = ''] = [...before.matchAll(/`([\w-]+\/[\w.-]+)`/g)].at(-1) ?? []
    return { language: match[1] ?? '', text: match[2] ?? '', file }
  })
}

/** The addresses of this test in place of those of the page. */
function here(text: string): string {
  return text
    .replaceAll('127.0.0.1:9000', `127.0.0.1:${ports.shop}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${ports.gateway}`)
}

async function save(file: string, text: string): Promise<void> {
  expect(file).not.toBe('')
  await mkdir(dirname(join(directory, file)), { recursive: true })
  await writeFile(join(directory, file), text)
}

/** Runs the commands of one block as a shell does, and returns what they print. */
async function run(block: string): Promise<string> {
  if (SERVERS.test(block)) return await start(block)
  exported.push(...block.split('\n').filter(line => line.startsWith('export ')))
  const { stdout, stderr } = spawnSync('bash', ['-c', [...exported, block].join('\n')], {
    cwd: directory,
    env: environment(ports.gateway),
    encoding: 'utf8',
  })
  return `${stderr}${stdout}`.replaceAll(`${directory}/`, '')
}

async function start(block: string): Promise<string> {
  const isShop = block.startsWith('npx node')
  const child = spawn('bash', ['-c', [...exported, `exec ${block}`].join('\n')], {
    // The shop needs the packages of the project.
    cwd: isShop ? root : directory,
    env: environment(isShop ? ports.shop : ports.gateway),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  servers.push(child)
  let output = ''
  return await new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (READY.test(output)) resolve(output)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', code => reject(new Error(`${block} ended with ${code}: ${output}`)))
  })
}

/** A shell's variables after `npm ci`, without the machine's own settings. */
function environment(port: number): Record<string, string> {
  return {
    PATH: `${join(directory, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: directory,
    PORT: String(port),
  }
}

/** Each answer has the members that the page shows; one shown answer stands for all. */
function expectAnswers(printed: string, shown: string): void {
  const answers = parseAll(printed, /^\{(?:\n[\s\S]*?^\}|.*\})$/gm)
  const expected = parseAll(shown, /^\{[\s\S]*?\}$(?=\n\{|\n$)/gm)
  expect(answers).not.toEqual([])
  expect(answers).toMatchObject(expected.length === 1 ? answers.map(() => expected[0]) : expected)
}

function parseAll(text: string, pattern: RegExp): unknown[] {
  return [...text.matchAll(pattern)].map(([json]) => JSON.parse(json) as unknown)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
