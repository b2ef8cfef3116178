import type { Store } from '../../../sandbox/index.ts'
import type { ParityCase } from '../case.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import { listCases } from './finds.ts'

type NewIssue = Parameters<Store['issues']['add']>[1]

const BOT = 'GitHub does not say how its GraphQL API names a bot.'
const TYPE = "GitHub's GraphQL API does not filter by issue type."
const COMMA = "GitHub's REST API separates labels by commas."

const { finds, refuses } = listCases({ ...hello, state: 'all' }, people, ({ number }) => number)

/** Adds issues 41 to 44, which differ in people, milestone, labels, comments and times. */
function people(store: Store): void {
  const repository = repositoryIn(store)
  const octocat = userIn(store)
  const helper = store.accounts.addBot('helper')
  const [labels, plain] = [
    ['c+d', '#1 "quoted"', 'a:b'].map(name =>
      store.labels.add(repository, { name, description: 'New' }),
    ),
    ['plain', 'one, two'].map(name => store.labels.add(repository, { name, description: 'New' })),
  ]
  const add = (day: number, fields: Partial<NewIssue>) => {
    const given = {
      title: 'New',
      author: userIn(store, 'mallory'),
      createdAt: '2026-02-01T00:00:00Z',
    }
    const issue = store.issues.add(repository, { ...given, ...fields })
    issue.updatedAt = `2026-02-0${day}T00:00:00Z`
    return issue
  }
  add(5, { labels, body: 'Ask @hubot.' })
  add(4, { labels: [...labels.slice(2), ...plain], assignees: [userIn(store, 'hubot')] })
  const milestone = store.milestones.add(repository, { title: 'Next', creator: octocat })
  const third = add(3, { milestone, body: 'Ask x@hubot and @hubot2' })
  add(2, { author: helper, labels: plain.slice(0, 1) })
  store.comments.add(third, { author: octocat, body: 'First.' })
  third.updatedAt = '2026-02-03T00:00:00Z'
}

const ODD_TYPE = 'Bug & 50% #1 🚂?type=x'

function types(store: Store): void {
  const { owner, items } = repositoryIn(store)
  if (owner.kind !== 'Organization') return
  const add = (name: string) => store.issueTypes.add(owner, { name })
  for (const [number, type] of [[1, add('Bug')] as const, [2, add(ODD_TYPE)] as const]) {
    const item = items.get(number)
    if (item?.kind === 'Issue') item.type = type
  }
}

const typed = listCases({ ...hello, state: 'all' }, types, ({ number }) => number)

/** The repository of the seed whose names are hard to send. */
const named = listCases(
  { owner: 'the-hyphen', name: '404' },
  () => {},
  ({ number }) => number,
)

export const filteredIssues: readonly ParityCase[] = [
  finds({ labels: ['plain'] }, [44, 42]),
  finds({ labels: ['PLAIN'] }, [44, 42], { title: 'a label in another case' }),
  finds({ labels: ['a:b', 'Plain'] }, [42], { title: 'two labels, of which an issue needs both' }),
  finds({ labels: ['c+d', '#1 "quoted"', 'a:b'] }, [41]),
  finds({ labels: ['--method=DELETE'] }, [], { title: 'a label that looks like an option' }),
  finds({ labels: ['one, two'] }, [42], { except: { rest: COMMA, cli: COMMA } }),
  finds({ labels: ['one'] }, [], { title: 'a part of a label' }),
  named.finds({ labels: ['🚂 good #1', 'a:b', '--web'], author: 'the-hyphen', milestone: 1 }, [4]),
  named.finds({ labels: ['🚂 good'] }, [], { title: 'a part of an emoji label' }),
  refuses({ labels: [' bug'] }),
  refuses({ labels: [] }),
  finds({ author: 'MALLORY' }, [43, 42, 41]),
  finds({ author: 'helper[bot]' }, [44], { except: { graphql: BOT } }),
  refuses({ author: 'nobody-here' }, 'an author who does not exist'),
  refuses({ author: '-x' }),
  refuses({ author: 'a b' }),
  finds({ assignee: 'hubot' }, [42, 1]),
  finds({ assignee: '*' }, [42, 1]),
  finds({ assignee: 'none', since: '2026-02-01T00:00:00Z' }, [44, 43, 41]),
  refuses({ assignee: 'nobody-here' }, 'an assignee who does not exist'),
  finds({ mentioned: 'hubot' }, [41]),
  refuses({ mentioned: 'nobody-here' }, 'a mentioned user who does not exist'),
  finds({ milestone: 1 }, [1]),
  finds({ milestone: 2 }, [43]),
  finds({ milestone: '*' }, [43, 1]),
  finds({ milestone: 'none', since: '2026-02-01T00:00:00Z' }, [44, 42, 41]),
  refuses({ milestone: 99 }, 'a milestone that does not exist'),
  refuses({ milestone: '1' }),
  finds({ since: '2026-02-03T00:00:00Z' }, [43, 42, 41]),
  finds({ since: '2026-02-03T01:00:00+01:00', assignee: 'hubot' }, [42], {
    title: 'a time in another zone, and an assignee',
  }),
  typed.finds({ type: 'bug' }, [1], { except: { graphql: TYPE } }),
  typed.finds({ type: ODD_TYPE }, [2], { except: { graphql: TYPE } }),
  typed.finds({ type: '*' }, [2, 1], { except: { graphql: TYPE } }),
  typed.finds({ type: 'none', first: 1, direction: 'asc' }, [3], { except: { graphql: TYPE } }),
  typed.finds({ type: 'No such type' }, [], { except: { graphql: TYPE } }),
  refuses({ type: ' ' }),
  refuses({ since: 'yesterday' }),
  finds({ since: '2026-02-02T00:00:00Z', sort: 'updated' }, [41, 42, 43, 44]),
  finds({ since: '2026-02-02T00:00:00Z', sort: 'updated', direction: 'asc' }, [44, 43, 42, 41]),
  finds({ sort: 'comments', first: 2 }, [2, 43]),
  finds({ direction: 'asc', first: 3 }, [1, 2, 3]),
  refuses({ sort: 'title' }),
  finds({ state: 'closed', labels: ['bug'], author: 'octocat', direction: 'asc' }, [15]),
]
