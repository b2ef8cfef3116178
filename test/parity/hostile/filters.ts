import type { Store } from '../../../sandbox/index.ts'
import type { Data } from '../case.ts'
import { hello, repositoryIn, userIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { addBranches, everyName, pullFrom } from './world.ts'

/** GitHub's REST API separates the labels of a filter by commas. */
const notByRest: HostileUse['except'] = name =>
  name.includes(',') ? { rest: 'a comma', cli: 'a comma' } : {}

const addPull = (store: Store, title: string, head: string, more: object) =>
  store.pullRequests.add(repositoryIn(store), { title, author: userIn(store), head, ...more })

const labelIn = (store: Store, name: string) => store.labels.add(repositoryIn(store), { name })

/** The one item that the filter finds has the name as its title. */
const finds: HostileUse['answers'] = ({ name }) => ({
  look: data => data.items.map(({ title }: Data) => title),
  see: [name],
})

function typeIn(store: Store, name: string) {
  const { owner } = repositoryIn(store)
  return owner.kind === 'Organization' ? store.issueTypes.add(owner, { name }) : null
}

export const filterUses: readonly HostileUse[] = [
  {
    capability: 'issue.list',
    kind: 'key',
    member: 'type',
    input: type => ({ ...hello, type }),
    given: (store, one) => {
      for (const title of everyName(one)) {
        const issue = store.issues.add(repositoryIn(store), { title, author: userIn(store) })
        issue.type = typeIn(store, title)
      }
    },
    answers: finds,
    except: () => ({ graphql: 'does not filter by issue type' }),
  },
  {
    capability: 'issue.list',
    kind: 'label',
    member: 'labels',
    all: true,
    input: label => ({ ...hello, labels: [label] }),
    given: (store, one) => {
      for (const title of everyName(one)) {
        const fields = { title, author: userIn(store), labels: [labelIn(store, title)] }
        store.issues.add(repositoryIn(store), fields)
      }
    },
    answers: finds,
    except: notByRest,
  },
  {
    capability: 'pr.list',
    kind: 'label',
    member: 'labels',
    input: label => ({ ...hello, labels: [label] }),
    given: (store, one) => {
      for (const [index, name] of everyName(one).entries()) {
        addPull(store, name, `named-${index}`, { labels: [labelIn(store, name)] })
      }
    },
    answers: finds,
  },
  {
    capability: 'pr.list',
    kind: 'ref',
    member: 'headRefName',
    all: true,
    input: headRefName => ({ ...hello, headRefName, headRepositoryOwner: 'octo-org' }),
    given: (store, one) => {
      addBranches(store, everyName(one))
      for (const name of everyName(one)) pullFrom(store, name)
    },
    answers: ({ name }) => ({
      look: data => data.items.map(({ title }: Data) => title),
      see: [`From ${name}`],
    }),
  },
  {
    capability: 'pr.list',
    kind: 'ref',
    member: 'baseRefName',
    all: true,
    input: baseRefName => ({ ...hello, baseRefName }),
    given: (store, one) => {
      addBranches(store, everyName(one))
      for (const [index, base] of everyName(one).entries()) {
        addPull(store, base, `into-${index}`, { base })
      }
    },
    answers: finds,
  },
]
