import type { Store } from '../../../sandbox/index.ts'
import type { ParityCase } from '../case.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import { listCases } from './finds.ts'

type NewPull = Parameters<Store['pullRequests']['add']>[1]

const LONG = { graphql: "GitHub's GraphQL API has no such order." }
const every = { ...hello, state: 'all' }
const { finds, refuses } = listCases(every, addPulls, ({ number }) => number)

/** Adds pull requests 41 to 44, which differ in branches, people, labels, milestone and comments. */
function addPulls(store: Store): void {
  const repository = repositoryIn(store)
  const [octocat, mallory] = [userIn(store), userIn(store, 'mallory')]
  const helper = store.accounts.addBot('helper')
  const fork = store.repositories.fork(repository, {
    owner: mallory,
    by: mallory,
    onlyDefaultBranch: true,
  })
  const labels = ['c+d', '#1 "quoted"', 'one, two'].map(name =>
    store.labels.add(repository, { name, description: 'New' }),
  )
  const milestone = store.milestones.add(repository, { title: 'Next', creator: octocat })
  const add = (day: number, fields: Partial<NewPull>) => {
    const createdAt = '2026-01-20T00:00:00Z'
    const given = { title: 'New', author: octocat, head: 'same', createdAt }
    const pull = store.pullRequests.add(repository, { ...given, ...fields })
    pull.updatedAt = `2026-02-0${day}T00:00:00Z`
    return pull
  }
  add(4, { labels, base: 'next#1' })
  add(3, { author: mallory, headRepository: fork, labels: labels.slice(0, 1) })
  const busy = add(2, { head: 'other', assignees: [octocat], milestone })
  add(1, { author: helper, head: 'c+d', labels: labels.slice(1) })
  for (const body of ['One', 'Two']) store.comments.add(busy, { author: octocat, body })
  busy.updatedAt = '2026-02-02T00:00:00Z'
}

/** The repository of the seed whose names are hard to send. */
const named = listCases(
  { owner: 'the-hyphen', name: '404' },
  () => {},
  ({ number }) => number,
)

export const filteredPulls: readonly ParityCase[] = [
  finds({ headRefName: 'same' }, [42, 41]),
  finds({ headRefName: 'same', headRepositoryOwner: 'Mallory' }, [42]),
  finds({ headRefName: 'same', headRepositoryOwner: 'octo-org' }, [41]),
  finds({ headRepositoryOwner: 'mallory' }, [42]),
  finds({ headRefName: 'same', headRepositoryOwner: 'hubot' }, []),
  finds({ headRefName: 'c+d' }, [44]),
  finds({ baseRefName: 'next#1' }, [41]),
  finds({ baseRefName: 'next' }, [], { title: 'a part of a base' }),
  named.finds({ baseRefName: 'feature#1' }, [7, 6, 5]),
  named.finds({ headRefName: '100%', headRepositoryOwner: 'The-Hyphen' }, [5]),
  named.finds({ headRefName: 'a/b' }, [], { title: 'a decoded branch' }),
  named.finds({ labels: ['🚂 good #1', 'c+d, "e"'] }, [6, 5]),
  refuses({ baseRefName: 'a b' }),
  refuses({ headRepositoryOwner: 'a:b' }),
  finds({ labels: ['C+D'] }, [42, 41]),
  finds({ labels: ['#1 "quoted"', 'one, two'] }, [44, 41]),
  finds({ labels: ['#1 "quoted"', 'c+d'] }, [41]),
  finds({ labels: ['c d'] }, [], { title: 'a label that none has' }),
  finds({ author: 'mallory' }, [42]),
  finds({ author: 'helper[bot]' }, [44]),
  finds({ author: 'nobody-here' }, []),
  refuses({ author: '--web' }),
  finds({ assignee: 'OCTOCAT' }, [43]),
  finds({ assignee: '*' }, [43]),
  finds({ assignee: 'none', first: 3 }, [44, 42, 41]),
  finds({ milestone: 2 }, [43]),
  finds({ milestone: '*' }, [43]),
  finds({ milestone: 'none', first: 3 }, [44, 42, 41]),
  finds({ milestone: 99 }, []),
  finds({ sort: 'updated', first: 4 }, [41, 42, 43, 44]),
  finds({ sort: 'updated', direction: 'asc', author: 'mallory' }, [42]),
  finds({ sort: 'comments', first: 2 }, [43, 4]),
  finds({ direction: 'asc', first: 2 }, [4, 8]),
  finds({ sort: 'long-running', state: 'open' }, [44, 43, 42, 41], { except: LONG }),
  refuses({ sort: 'popularity' }),
  finds({ state: 'closed', headRefName: 'topic-12', labels: ['bug'] }, []),
]
