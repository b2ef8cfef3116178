import type { Fault, FaultMatch, Issue, Repository, Sandbox } from '../../sandbox/index.ts'
import type { Call, Capability, PlannedFault, Schedule } from './schedule.ts'

/** The data of one run: the inputs of its calls, and how often each was applied. */
export interface Scene {
  readonly id: string
  inputOf(call: Call): Readonly<Record<string, unknown>>
  /** Number of objects that the call's input created. For an update, 1 if it is in effect. */
  applied(call: Call): number
  readonly pullRequests: number
  /** Adds another user's issues. */
  addCrowd(count: number): void
}

/** How to call a capability and count its effect. */
interface Act {
  readonly input: (call: Call) => object
  readonly applied: (call: Call) => number
}

const REPO = { owner: 'octo-org', name: 'hello-world' }

/** Resets the sandbox and sets the faults. Texts contain the run's id, so that its writes can be counted. */
export function setScene(sandbox: Sandbox, { calls, faults }: Schedule, id: string): Scene {
  sandbox.reset()
  sandbox.faults.set(faults.flatMap(toFaults))
  const { store } = sandbox
  const repository = store.repositories.find(REPO.owner, REPO.name) as Repository
  const stranger = store.accounts.findUser('hubot')
  if (!stranger) throw new Error('the sandbox has no hubot')
  const addIssue = (title: string) => store.issues.add(repository, { title, author: stranger })
  const items = () => [...repository.items.values()]

  const commented = addIssue(`${id} is commented on`)
  const updated = new Map<string, Issue>()
  for (const call of calls) {
    const text = textOf(call)
    if (!updated.has(text)) updated.set(text, addIssue(`${id} is updated`))
  }
  /** Equal for equal title and marker. */
  function textOf({ title, marker }: Call): string {
    return `${id} ${title} by ${marker}`
  }

  const acts: Record<Capability, Act> = {
    'issue.create': {
      // The card treats equal titles as equal. The body lets the test distinguish them.
      input: call => ({ title: `${id} ${call.title}`, body: textOf(call) }),
      applied: call => items().filter(({ body }) => body === textOf(call)).length,
    },
    'issue.comments.create': {
      input: call => ({ issueNumber: commented.number, body: textOf(call) }),
      applied: call => commented.comments.filter(({ body }) => body === textOf(call)).length,
    },
    'issue.update': {
      input: call => ({ issueNumber: updated.get(textOf(call))?.number, title: textOf(call) }),
      applied: call => (updated.get(textOf(call))?.title === textOf(call) ? 1 : 0),
    },
    'pr.list': {
      input: ({ title }) => ({ state: 'all', first: title === 0 ? 5 : 100 }),
      applied: () => 0,
    },
  }
  return {
    id,
    inputOf: call => ({ ...REPO, ...acts[call.capability].input(call) }),
    applied: call => acts[call.capability].applied(call),
    pullRequests: items().filter(({ kind }) => kind === 'PullRequest').length,
    addCrowd(count) {
      for (let index = 0; index < count; index++) addIssue(`${id} crowd ${index}`)
    },
  }
}

const WRITES = 'IssueCreate|CommentCreate|IssueUpdate'.split('|')
const READS = 'IssueList|PrList|Viewer|ViewerView|RepoId|SubjectId|IssueId'.split('|')

/** Converts a planned fault to sandbox faults. The sandbox matches one method or operation at a time. */
function toFaults({ route, on, action, times }: PlannedFault): Fault[] {
  const matches: FaultMatch[] = []
  if (on === null) matches.push(route === null ? {} : { route })
  else {
    const methods = on === 'write' ? ['POST', 'PATCH'] : ['GET']
    const operations = on === 'write' ? WRITES : READS
    if (route !== 'graphql')
      matches.push(...methods.map(method => ({ route: 'rest' as const, method })))
    if (route !== 'rest') matches.push(...operations.map(operation => ({ operation })))
  }
  return matches.map(match => ({ on: match, do: action, times }))
}
