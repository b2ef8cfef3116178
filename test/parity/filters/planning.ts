import type { Store } from '../../../sandbox/index.ts'
import type { ParityCase } from '../case.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import { listCases } from './finds.ts'

const BY_GRAPHQL = {
  rest: 'GitHub sorts so by GraphQL only.',
  cli: 'GitHub sorts so by GraphQL only.',
}
const BY_REST = { graphql: "GitHub's GraphQL API does not sort so." }

/** Beside v1.0, which is due on 17 January, a milestone that is due earlier and one that is due later. */
function addMilestones(store: Store): void {
  const repository = repositoryIn(store)
  const add = (title: string, dueOn: string) =>
    store.milestones.add(repository, { title, creator: userIn(store), dueOn, createdAt: dueOn })
  const done = add('Done', '2026-01-10T00:00:00Z')
  add('Later', '2026-02-20T00:00:00Z')
  const fields = { title: 'Old', author: userIn(store), milestone: done }
  store.issues.close(store.issues.add(repository, fields), userIn(store), {})
}

const milestones = listCases({ ...hello, state: 'all' }, addMilestones, ({ title }) => title)

export const sortedMilestones: readonly ParityCase[] = [
  milestones.finds({ sort: 'due' }, ['Done', 'v1.0', 'Later']),
  milestones.finds({ direction: 'desc' }, ['Later', 'v1.0', 'Done']),
  milestones.finds({ sort: 'completeness', direction: 'desc', first: 1 }, ['Done'], {
    except: BY_REST,
  }),
  milestones.finds({ sort: 'number' }, ['v1.0', 'Done', 'Later'], { except: BY_GRAPHQL }),
  milestones.finds({ sort: 'created', direction: 'desc' }, ['Later', 'Done', 'v1.0'], {
    except: BY_GRAPHQL,
  }),
  milestones.refuses({ sort: 'due_on' }),
]

/** Gives mallory four public repositories: a fork, an archived one, and two others. */
function addRepositories(store: Store): void {
  const owner = userIn(store, 'mallory')
  const add = (name: string, day: number, more: object = {}) =>
    store.repositories.add({ owner, name, createdAt: `2026-01-0${day}T00:00:00Z`, ...more })
  add('b', 1, { stargazerCount: 3 })
  add('A-1', 2, { isArchived: true })
  add('c_1', 3, { stargazerCount: 9 })
  store.repositories.fork(repositoryIn(store), { owner, by: owner, onlyDefaultBranch: true })
}

const repositories = listCases(
  { owner: 'mallory', visibility: 'public' },
  addRepositories,
  ({ name }) => name,
)

export const filteredRepositories: readonly ParityCase[] = [
  repositories.finds({ isFork: true }, ['hello-world']),
  repositories.finds({ isFork: false }, ['c_1', 'A-1', 'b']),
  repositories.finds({ isArchived: true }, ['A-1']),
  repositories.finds({ isArchived: false, isFork: false, direction: 'asc' }, ['b', 'c_1']),
  repositories.finds({ sort: 'name', direction: 'asc' }, ['A-1', 'b', 'c_1', 'hello-world']),
  repositories.finds({ sort: 'stars', first: 2 }, ['c_1', 'b'], {
    except: { rest: "GitHub's REST API does not sort by stars." },
  }),
  repositories.finds({ sort: 'pushed', first: 1 }, ['hello-world']),
  repositories.refuses({ isFork: 'true' }),
]
