import type { NewCommit, Store } from '../../../sandbox/index.ts'
import type { Input, ParityCase } from '../case.ts'
import { hello, repositoryIn, spoon, userIn } from '../worlds.ts'
import { listCases } from './finds.ts'

const NO_USER = 'No user has this login.'

/** Adds commits to spoon-knife by users of the sandbox, and by an address of none of them. */
function addCommits(store: Store): void {
  const add = (message: string, author: NewCommit['author']) =>
    store.git.commit(repositoryIn(store, spoon), { author, message, changes: { a: message } })
  add('By login', userIn(store, 'the-hyphen'))
  add('By address', { ...userIn(store, 'mallory'), email: 'c+d#%@example.test' })
  add('By login too', userIn(store, 'the-hyphen'))
}

const commits = listCases(spoon, addCommits, ({ message }) => message)

export const filteredCommits: readonly ParityCase[] = [
  commits.finds({ author: 'The-Hyphen' }, ['By login too', 'By login']),
  commits.finds({ author: 'the-hyphen', path: 'a', first: 1 }, ['By login too']),
  commits.finds({ author: 'hubot' }, [], { title: 'an author without commits' }),
  commits.finds({ author: 'C+D#%@Example.test' }, ['By address']),
  commits.finds({ author: 'nobody@example.test' }, []),
  commits.finds({ author: 'nobody-here' }, [], { except: { graphql: NO_USER } }),
  commits.finds({ author: 'octo-org' }, [], { except: { graphql: NO_USER } }),
  commits.refuses({ author: '--author=x' }),
  commits.refuses({ author: 'a b@c' }),
]

function addRefs(store: Store): void {
  const oid = store.git.branch(repositoryIn(store), 'main')?.oid ?? ''
  for (const name of ['c+d/#1', 'c+d/1', 'C+D/#', 'x/c+d/#', 'c+d/#2', 'c%2Bd/#']) {
    store.git.createTag(repositoryIn(store), { name, oid })
    store.releases.add(repositoryIn(store), { tagName: name, author: userIn(store) })
  }
}

const tags = listCases(hello, addRefs, ({ name }) => name)
const releases = listCases(hello, addRefs, ({ tagName }) => tagName)

export const filteredTags: readonly ParityCase[] = [
  tags.finds({ prefix: 'c+d/#' }, ['c+d/#2', 'c+d/#1']),
  tags.finds({ prefix: 'v1.0.0-rc', first: 1 }, ['v1.0.0-rc.1']),
  tags.finds({ prefix: '--points-at' }, []),
  tags.refuses({ prefix: '' }),
]

export const filteredReleases: readonly ParityCase[] = [
  releases.finds({ prefix: 'c+d/#' }, ['c+d/#2', 'c+d/#1']),
  releases.finds({ prefix: 'v0.1' }, ['v0.1.0']),
  releases.finds({ prefix: 'V0' }, [], { title: 'a prefix in another case' }),
  releases.refuses({ prefix: '' }),
]

function addRuns(store: Store): void {
  const [workflow] = store.workflows.of(repositoryIn(store))
  if (!workflow) throw new Error('the seed has no workflow')
  for (const [index, login] of ['mallory', 'hubot', 'mallory', 'the-hyphen'].entries()) {
    store.workflowRuns.add(workflow, {
      headSha: `${index}`.repeat(40),
      headBranch: 'own',
      event: 'push',
      actor: userIn(store, login),
    })
  }
}

const runs = (input: Input) =>
  listCases({ ...hello, ...input }, addRuns, ({ actor, headSha }) => [actor, headSha[0]])
const own = runs({ branch: 'own' })

export const filteredRuns: readonly ParityCase[] = [
  own.finds({ actor: 'MALLORY' }, [
    ['mallory', '2'],
    ['mallory', '0'],
  ]),
  own.finds({ actor: 'the-hyphen', event: 'push' }, [['the-hyphen', '3']]),
  own.finds({ actor: 'the-hyphen', event: 'workflow_dispatch' }, []),
  own.finds({ actor: 'nobody-here' }, []),
  own.refuses({ actor: 'a&b' }),
  runs({}).finds({ headSha: '1'.repeat(40) }, [['hubot', '1']]),
  own.finds({ headSha: 'f'.repeat(40) }, []),
  own.refuses({ headSha: 'own' }),
]
