/**
 * Counts the tokens (o200k) of an answer in every dialect: for each failure of the corpus and for the
 * reads of the sandbox. For a read it also counts the answer of the upstream's own REST API. And it counts the tools of the
 * shipped packs, with the input schemas that models get and with the full ones.
 *
 * `node bench/tokens.ts [--assert]`: with `--assert`, exits with 1 if a target is missed.
 */
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { pino } from 'pino'
import { createSandbox, type Store } from '../sandbox/index.ts'
import { execute } from '../src/call/execute.ts'
import { loadSettings } from '../src/gateway/config.ts'
import { createEngine } from '../src/gateway/create-engine.ts'
import type { Answer } from '../src/model/envelope.ts'
import { PROFILE_NAMES, type ProfileName } from '../src/model/profile-name.ts'
import { SCOPES } from '../src/model/scopes.ts'
import { type Knowledge, renderAnswer } from '../src/render/render.ts'
import { corpusAnswers } from '../test/support/corpus.ts'
import { countOffers, type OfferedTools } from './support/mcp-tools.ts'
import { readOptions } from './support/read-options.ts'
import { align, verdictOf } from './support/table.ts'
import { countTools } from './support/told-tools.ts'

const TOKEN = 'sandbox-token'
const REPO = { owner: 'octo-org', name: 'hello-world' }
const BASE = '/repos/octo-org/hello-world'

/** The path is that of the REST request that an agent would send without the gateway. */
type Read = readonly [capability: string, input: object, path: string]

const READS: readonly Read[] = [
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
  ['release.view', { ...REPO, tagName: 'v0.8.0' }, `${BASE}/releases/tags/v0.8.0`],
  ...[4, 10].map(
    first => ['release.list', { ...REPO, first }, `${BASE}/releases?per_page=${first}`] as const,
  ),
]

/** Views of accounts, and of things whose number only the sandbox knows. */
function otherReads({ accounts, gists, workflowRuns }: Store): readonly Read[] {
  const octocat = accounts.findUser('octocat')
  const gistId = octocat ? gists.of(octocat).at(-1)?.name : undefined
  const run = workflowRuns.all().find(({ suite }) => suite.headBranch === 'topic-4')
  const [runId, jobId] = [run?.databaseId, run?.suite.checkRuns[1]?.databaseId]
  const project = { org: 'octo-org', projectNumber: 1 }
  const image = { owner: 'octo-org', packageType: 'container', packageName: 'hello-world' }
  const actions = `${BASE}/actions`
  return [
    ['user.view', { login: 'octocat' }, '/users/octocat'],
    ['org.view', { org: 'octo-org' }, '/orgs/octo-org'],
    ['gist.view', { gistId }, `/gists/${gistId}`],
    ['project_v2.org.view', project, '/orgs/octo-org/projectsV2/1'],
    ['package.view', image, '/orgs/octo-org/packages/container/hello-world'],
    ['workflow.view', { ...REPO, workflowId: 'ci.yml' }, `${actions}/workflows/ci.yml`],
    ['workflow.run.view', { ...REPO, runId }, `${actions}/runs/${runId}`],
    ['workflow.job.view', { ...REPO, jobId }, `${actions}/jobs/${jobId}`],
  ]
}

/** The largest share of GitHub's own JSON that a capability may take in `compact`. */
const MOST = {
  'repo.view': 0.15,
  'pr.view': 0.15,
  'issue.view': 0.2,
  'release.view': 0.3,
  'issue.list': 0.15,
}

type TokensByProfile = Readonly<Record<ProfileName, number>>

interface Row {
  readonly name: string
  /** Tokens of the upstream's own answer; null for failures. */
  readonly raw: number | null
  readonly tokens: TokensByProfile
}

interface Target {
  readonly name: string
  readonly share: number
  readonly most: number
}

const { values } = readOptions({
  command: 'npm run bench:tokens',
  about: 'Counts the tokens of answers and tools.',
  options: { assert: { value: false, help: 'exit with 1 if a target is missed' } },
})
process.exitCode = await bench(values.assert)

/** @returns the exit code. */
async function bench(assert: boolean): Promise<number> {
  const { knowledge, reads, offers, beside } = await readSandbox()
  const failures = await readCorpus(knowledge)
  printTable(`mean tokens of ${failures.count} failures of the corpus`, [failures.row])
  printTable(`tokens of ${reads.length} reads`, reads)
  await printTools()
  printOffers(offers)
  const targets = targetsOf(failures.row, reads)
  for (const { name, share, most } of targets) {
    console.log(`${verdictOf(share <= most)} ${name}: ${percent(share)}, at most ${percent(most)}`)
  }
  const limits = limitsOf(offers, beside)
  for (const { name, tokens, most } of limits) {
    console.log(`${verdictOf(tokens <= most)} ${name}: ${tokens} tokens, at most ${most}`)
  }
  const isMissed =
    targets.some(({ share, most }) => share > most) ||
    limits.some(({ tokens, most }) => tokens > most)
  return assert && isMissed ? 1 : 0
}

async function readSandbox() {
  await using sandbox = await createSandbox({ port: 0 })
  const env = {
    PATH: process.env.PATH,
    GITHUB_API_URL: sandbox.url,
    GITHUB_GRAPHQL_URL: `${sandbox.url}/graphql`,
    GITHUB_UPLOAD_URL: sandbox.url,
    GITHUB_TOKEN: TOKEN,
    SIGNALBOX_JOURNAL: ':memory:',
  }
  const settings = loadSettings(env, null)
  await using engine = await createEngine({ settings, env, logger: pino({ level: 'silent' }) })
  const caller = { name: 'bench', operator: false }
  const reads: Row[] = []
  const beside = { always: 0, marks: 0 }
  for (const [capability, input, path] of [...READS, ...otherReads(sandbox.store)]) {
    const answer = await execute(engine, { capability, input, caller, route: 'rest' })
    if (!answer.envelope.ok) throw new Error(`${capability}: ${answer.envelope.error.message}`)
    const headers = { authorization: `Bearer ${TOKEN}`, accept: 'application/vnd.github+json' }
    const raw = await (await fetch(`${sandbox.url}${path}`, { headers })).text()
    const name = `${capability} ${path.replace(BASE, '')}`
    const tokens = countByProfile(engine, answer)
    reads.push({ name, raw: countTokens(raw), tokens })
    const data = countTokens(JSON.stringify(answer.envelope.data))
    const { untrusted } = answer.envelope.meta
    const marks = untrusted === undefined ? 0 : countTokens(JSON.stringify({ meta: { untrusted } }))
    beside.always = Math.max(beside.always, tokens.brief - data - marks)
    beside.marks = Math.max(beside.marks, marks)
  }
  const { catalog, hints } = engine
  const offers = countOffers(catalog, { ...caller, scopes: SCOPES })
  return { knowledge: { catalog, hints }, reads, offers, beside }
}

async function readCorpus(knowledge: Knowledge) {
  const answers = await corpusAnswers(['rest', 'graphql', 'transport', 'cli'])
  const rows = answers.map(({ answer }) => countByProfile(knowledge, answer))
  const mean = (profile: ProfileName) =>
    Math.round(rows.reduce((sum, tokens) => sum + tokens[profile], 0) / rows.length)
  return { count: rows.length, row: { name: 'mean', raw: null, tokens: forEachProfile(mean) } }
}

function countByProfile(knowledge: Knowledge, answer: Answer): TokensByProfile {
  const how = { tokenBudget: null, host: null }
  return forEachProfile(profile =>
    countTokens(renderAnswer(knowledge, answer, { ...how, profile }).body),
  )
}

function forEachProfile(count: (profile: ProfileName) => number): TokensByProfile {
  const counted = PROFILE_NAMES.map(profile => [profile, count(profile)])
  return Object.fromEntries(counted) as TokensByProfile
}

/** The targets concern `compact`, the dialect for agents that save tokens. */
function targetsOf(failures: Row, reads: readonly Row[]): readonly Target[] {
  const share = (capability: string) => {
    const rows = reads.filter(({ name }) => name.startsWith(`${capability} `))
    return sum(rows.map(({ tokens }) => tokens.compact)) / sum(rows.map(({ raw }) => raw ?? 0))
  }
  return [
    {
      name: 'compact failures, relative to default',
      share: failures.tokens.compact / failures.tokens.default,
      most: 0.5,
    },
    ...Object.entries(MOST).map(([capability, most]) => ({
      name: `${capability} in compact, relative to GitHub's own JSON`,
      share: share(capability),
      most,
    })),
  ]
}

/** The most tokens of a brief answer that are not its data. */
interface Beside {
  readonly always: number
  /** Where text of strangers is. */
  readonly marks: number
}

/** The targets of MCP, in tokens. */
function limitsOf(offers: readonly OfferedTools[], { always, marks }: Beside) {
  const sets = offers.flatMap(({ words, model, most }) =>
    most === null ? [] : [{ name: `the tools of ${words}`, tokens: model, most }],
  )
  return [
    ...sets,
    { name: 'brief, beside the data of a read', tokens: always, most: 15 },
    { name: 'brief, the marks of words of strangers', tokens: marks, most: 30 },
  ]
}

function printOffers(offers: readonly OfferedTools[]): void {
  const rows = offers.map(({ words, tools, model, list }) =>
    [words, tools, model, list].map(String),
  )
  const head = ['tools=', 'tools', 'for a model', 'tools/list']
  console.log(
    `\ntokens of the tools of MCP, with the options of a call\n${align([head, ...rows])}\n`,
  )
}

function printTable(title: string, rows: readonly Row[]): void {
  const head = ['', 'raw', ...PROFILE_NAMES]
  const lines = rows.map(({ name, raw, tokens }) => [
    name,
    raw === null ? '' : String(raw),
    ...PROFILE_NAMES.map(profile => String(tokens[profile])),
  ])
  console.log(`\n${title}\n${align([head, ...lines])}`)
}

async function printTools(): Promise<void> {
  const rows = (await countTools()).map(({ pack, tools, full, told }) =>
    [pack, tools, full, told, Math.round(told / tools)].map(String),
  )
  const head = ['', 'tools', 'full schemas', 'told schemas', 'each']
  console.log(`\ntokens of tools: name, description, input schema\n${align([head, ...rows])}\n`)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
