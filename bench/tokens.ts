/**
 * What an answer costs an agent, in tokens of a real tokenizer (o200k): every dialect over the failures of
 * the corpus and over twenty reads of the sandbox, next to what the upstream's own REST API answers.
 *
 * `node bench/tokens.ts [--assert]`: with `--assert`, exits with 1 when a target is missed.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { pino } from 'pino'
import { createSandbox } from '../sandbox/index.ts'
import { execute } from '../src/call/execute.ts'
import { loadSettings } from '../src/gateway/config.ts'
import { createEngine } from '../src/gateway/create-engine.ts'
import type { Answer } from '../src/model/envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../src/model/profile-name.ts'
import { type Knowledge, renderAnswer } from '../src/render/render.ts'
import { corpusAnswers } from '../test/support/corpus.ts'

const TOKEN = 'sandbox-token'
const REPO = { owner: 'octo-org', name: 'hello-world' }
const BASE = '/repos/octo-org/hello-world'

/** Capability, input, and the REST request that an agent would make without the gateway. */
const READS: readonly (readonly [string, object, string])[] = [
  ['repo.view', REPO, BASE],
  ['viewer.view', {}, '/user'],
  ...[5, 10, 30, 100].map(
    first => ['issue.list', { ...REPO, first }, `${BASE}/issues?per_page=${first}`] as const,
  ),
  ['issue.list', { ...REPO, state: 'all', first: 30 }, `${BASE}/issues?state=all&per_page=30`],
  ...[1, 2, 3, 7].map(
    issueNumber =>
      ['issue.view', { ...REPO, issueNumber }, `${BASE}/issues/${issueNumber}`] as const,
  ),
  ...[5, 30].map(
    first =>
      [
        'issue.comments.list',
        { ...REPO, issueNumber: 2, first },
        `${BASE}/issues/2/comments?per_page=${first}`,
      ] as const,
  ),
  ...[3, 30].map(
    first => ['pr.list', { ...REPO, first }, `${BASE}/pulls?per_page=${first}`] as const,
  ),
  ['pr.list', { ...REPO, state: 'all' }, `${BASE}/pulls?state=all&per_page=30`],
  ...[4, 8].map(
    prNumber => ['pr.view', { ...REPO, prNumber }, `${BASE}/pulls/${prNumber}`] as const,
  ),
  ...[4, 10].map(
    first => ['release.list', { ...REPO, first }, `${BASE}/releases?per_page=${first}`] as const,
  ),
]

interface Row {
  readonly name: string
  readonly raw: number | null
  readonly told: Readonly<Record<ProfileName, number>>
}

interface Target {
  readonly name: string
  readonly share: number
  readonly most: number
}

process.exitCode = await bench(process.argv.includes('--assert'))

/** The exit code. */
async function bench(assert: boolean): Promise<number> {
  const { knowledge, reads } = await readSandbox()
  const failures = await readCorpus(knowledge)
  print(`${failures.count} failures of the corpus, mean tokens`, [failures.row])
  print(`${reads.length} reads, tokens`, reads)
  const targets = targetsOf(failures.row, reads)
  for (const { name, share, most } of targets) {
    console.log(
      `${share <= most ? 'ok  ' : 'MISS'} ${name}: ${percent(share)}, at most ${percent(most)}`,
    )
  }
  return assert && targets.some(({ share, most }) => share > most) ? 1 : 0
}

async function readSandbox() {
  await using sandbox = await createSandbox({ port: 0 })
  const env = {
    PATH: process.env.PATH,
    GITHUB_API_URL: sandbox.url,
    GITHUB_GRAPHQL_URL: `${sandbox.url}/graphql`,
    GITHUB_TOKEN: TOKEN,
    SIGNALBOX_JOURNAL: ':memory:',
  }
  const settings = loadSettings(env, null)
  await using engine = await createEngine({ settings, env, logger: pino({ level: 'silent' }) })
  const caller = { name: 'bench', operator: false }
  const reads: Row[] = []
  for (const [capability, input, path] of READS) {
    const answer = await execute(engine, { capability, input, caller, route: 'rest' })
    if (!answer.envelope.ok) throw new Error(`${capability}: ${answer.envelope.error.message}`)
    const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/vnd.github+json' }
    const raw = await (await fetch(`${sandbox.url}${path}`, { headers })).text()
    const name = `${capability} ${path.slice(BASE.length)}`
    reads.push({ name, raw: countTokens(raw), told: tell(engine, answer) })
  }
  const { catalog, hints } = engine
  return { knowledge: { catalog, hints }, reads }
}

async function readCorpus(knowledge: Knowledge) {
  const answers = await corpusAnswers(['rest', 'graphql', 'transport', 'cli'])
  const rows = answers.map(({ answer }) => tell(knowledge, answer))
  const mean = (profile: ProfileName) =>
    Math.round(rows.reduce((sum, told) => sum + told[profile], 0) / rows.length)
  return { count: rows.length, row: { name: 'mean', raw: null, told: eachProfile(mean) } }
}

function tell(knowledge: Knowledge, answer: Answer): Row['told'] {
  const how = { tokenBudget: null, host: null }
  return eachProfile(profile =>
    countTokens(renderAnswer(knowledge, answer, { ...how, profile }).body),
  )
}

function eachProfile(count: (profile: ProfileName) => number): Row['told'] {
  const counted = PROFILE_NAMES.map(profile => [profile, count(profile)])
  return Object.fromEntries(counted) as Row['told']
}

/** An agent that counts its tokens asks for `compact`, so that is what the targets are about. */
function targetsOf(failures: Row, reads: readonly Row[]): readonly Target[] {
  const share = (capability: string) => {
    const rows = reads.filter(({ name }) => name.startsWith(`${capability} `))
    return sum(rows.map(({ told }) => told.compact)) / sum(rows.map(({ raw }) => raw ?? 0))
  }
  return [
    {
      name: 'compact failures, of default ones',
      share: failures.told.compact / failures.told.default,
      most: 0.5,
    },
    { name: "repo.view in compact, of GitHub's own JSON", share: share('repo.view'), most: 0.15 },
    { name: "issue.list in compact, of GitHub's own JSON", share: share('issue.list'), most: 0.15 },
  ]
}

function print(title: string, rows: readonly Row[]): void {
  const head = ['', 'raw', ...PROFILE_NAMES]
  const lines = rows.map(({ name, raw, told }) => [
    name,
    raw === null ? '' : String(raw),
    ...PROFILE_NAMES.map(profile => String(told[profile])),
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...lines].map(line => line[column]?.length ?? 0)),
  )
  console.log(`\n${title}`)
  for (const line of [head, ...lines]) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(cells.join('  '))
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
