/**
 * Plays ten tasks in four ways, each on a fresh sandbox: `POST /v1/batch`, the typed client, and MCP with a tool for each
 * capability and with the five tools of `search`. Prints the calls and tokens (o200k) of each. Exits with 1 if a task has
 * another outcome than it should, or if one of the first two needs more than two calls over HTTP or MCP.
 */
import { isDeepStrictEqual } from 'node:util'
import { align } from '../../bench/support/table.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { type Effort, type Play, playAll, playHttp, playSearch } from './doors.ts'
import { ISSUE_TASKS } from './issue-tasks.ts'
import { PULL_REQUEST_TASKS } from './pull-request-tasks.ts'
import type { Task } from './task.ts'
import { playClient } from './typed-client.ts'

const TASKS = [...PULL_REQUEST_TASKS, ...ISSUE_TASKS]
const WAYS = {
  'HTTP batch': playHttp,
  'typed client': playClient,
  'MCP all': playAll,
  'MCP search': playSearch,
} as const satisfies Record<string, Play>
type Way = keyof typeof WAYS

/** Their tasks are the ones with which other servers are compared. */
const BOUNDED_TASKS = 2
const BOUNDED_WAYS: readonly Way[] = ['HTTP batch', 'MCP all', 'MCP search']
const MOST_CALLS = 2

await using gateway = await startTestGateway()
const faults: string[] = []
const rows: string[][] = [['task', ...Object.keys(WAYS)]]
for (const task of TASKS) rows.push([task.name, ...(await playEveryWay(task))])

process.stdout.write(
  'Calls (and calls that search before), tokens of all that is sent and received, without tools/list:\n\n',
)
process.stdout.write(`${align(rows)}\n`)
if (faults.length > 0) {
  process.stderr.write(`\n${faults.join('\n')}\n`)
  process.exitCode = 1
} else {
  process.stdout.write(
    `\nAll ${TASKS.length} tasks have the same outcome in all ${Object.keys(WAYS).length} ways.\n`,
  )
}

async function playEveryWay(task: Task): Promise<string[]> {
  const cells: string[] = []
  for (const way of Object.keys(WAYS) as Way[]) {
    gateway.sandbox.reset()
    const effort = await playOnce(gateway, task, way).catch((error: Error) => {
      faults.push(`${way}: ${error.message}`)
      return null
    })
    cells.push(effort === null ? 'failed' : describe(effort))
    if (effort === null || !BOUNDED_WAYS.includes(way)) continue
    if (TASKS.indexOf(task) < BOUNDED_TASKS && effort.calls > MOST_CALLS)
      faults.push(`${way}: ${task.name} takes ${effort.calls} calls, more than ${MOST_CALLS}`)
  }
  return cells
}

async function playOnce(played: TestGateway, task: Task, way: Way): Promise<Effort> {
  const { found, effort } = await WAYS[way](played.url, task)
  const look = async (id: string, input: object) => {
    const { body } = await played.call(id, input)
    if (!body.ok) throw new Error(`${task.name}: ${id}: ${body.error.message}`)
    return body.data
  }
  const outcome = await task.outcome(look, found)
  if (isDeepStrictEqual(outcome, task.expected)) return effort
  throw new Error(
    `${task.name}: the outcome is ${JSON.stringify(outcome)}, not ${JSON.stringify(task.expected)}`,
  )
}

function describe({ calls, searches, tokens }: Effort): string {
  return `${calls}${searches > 0 ? ` (+${searches})` : ''} · ${tokens.toLocaleString('en')}`
}
