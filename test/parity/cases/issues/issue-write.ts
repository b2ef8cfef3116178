import type { Store } from '../../../../sandbox/index.ts'
import type { Data, ParityCase, ParityCases } from '../../case.ts'
import { hostileNames } from '../../hostile/names.ts'
import { addForeign, attic, foreign, hello, issueIn, repositoryIn, userIn } from '../../worlds.ts'

const set = (data: Data) => [data.labels, data.assignees, data.milestone?.number ?? null]
const inProject = (data: Data) => typeof data.projectItemId
const noTemplates = {
  rest: 'creates no issues from templates',
  cli: 'creates no issues from templates',
}

/** Labels whose names are hard to send in a path. */
const hostileLabels = hostileNames('label').map(({ name }) => name)

function addLabels(store: Store): void {
  for (const name of hostileLabels) store.labels.add(repositoryIn(store), { name })
}

const TEMPLATE = `---
name: "Bug: 50 % # & 🚂"
about: Something is wrong
labels: bug, question
assignees: hubot
---

## What happened
`

function addTemplate(store: Store): void {
  const changes = { '.github/ISSUE_TEMPLATE/bug report.md': TEMPLATE }
  store.git.commit(repositoryIn(store), { author: userIn(store), message: 'Templates', changes })
}

const fresh = { ...hello, title: 'A new issue' }
const first = { ...hello, issueNumber: 1 }
const everything = { labels: ['Bug', 'question'], assignees: ['hubot'], milestoneNumber: 1 }

/** The inputs of both beside a title and a body. */
const associations = (input: object): ParityCase[] => [
  {
    input: { ...input, ...everything },
    answers: { look: set, see: [['bug', 'question'], ['hubot'], 1] },
  },
  ...[hostileLabels.slice(0, 20), hostileLabels.slice(20)].map(labels => ({
    input: { ...input, labels },
    given: addLabels,
    title: `labels with hard names, ${labels.length} of them`,
    answers: { look: (data: Data) => data.labels.toSorted(), see: labels.toSorted() },
  })),
  { input: { ...input, projectNumber: 1 }, answers: { look: inProject, see: 'string' } },
  { input: { ...input, labels: ['bug', 'nothing'] }, fails: 'NOT_FOUND' },
  { input: { ...input, assignees: ['mallory'] }, fails: 'VALIDATION' },
  { input: { ...input, milestoneNumber: 99 }, fails: 'VALIDATION' },
  { input: { ...input, projectNumber: 99 }, fails: 'NOT_FOUND' },
]

export const cases: ParityCases = {
  'issue.create': [
    { input: { ...fresh, body: 'with a body' } },
    { input: { ...hello, title: 'Without a body' } },
    ...associations(fresh),
    {
      input: { ...fresh, template: 'Bug: 50 % # & 🚂', labels: ['enhancement'] },
      given: addTemplate,
      except: noTemplates,
      answers: {
        look: set,
        see: [['bug', 'enhancement', 'question'], ['hubot'], null],
      },
      leaves: {
        look: store => [...repositoryIn(store).items.values()].at(-1)?.body,
        see: '## What happened\n',
      },
    },
    {
      input: { ...fresh, template: 'Bug: 50 % # & 🚂', body: 'Mine.' },
      given: addTemplate,
      except: noTemplates,
      leaves: {
        look: store => [...repositoryIn(store).items.values()].at(-1)?.body,
        see: 'Mine.',
      },
    },
    {
      input: { ...foreign, title: 'x', labels: ['bug'], milestoneNumber: 1 },
      title: 'labels in a repository of others, which GitHub leaves out',
      given: addForeign,
      answers: { look: set, see: [[], [], null] },
    },
    { input: { ...attic, title: 'x' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
  ],
  'issue.update': [
    { input: { ...first, title: 'Renamed' } },
    { input: { ...first, body: '' } },
    ...associations(first),
    {
      input: { ...first, labels: [], assignees: [] },
      title: 'no labels, nobody assigned',
      given: store => store.issues.assign(issueIn(store, 1), [userIn(store)]),
      answers: { look: data => [data.labels, data.assignees], see: [[], []] },
    },
    {
      input: { ...foreign, issueNumber: 2, labels: ['bug'], title: 'Mine' },
      title: "one's own issue in a repository of others, whose labels stay",
      given: store => {
        addForeign(store)
        const fields = { title: 'Own', author: userIn(store) }
        store.issues.add(repositoryIn(store, foreign), fields)
      },
      answers: { look: data => [data.title, data.labels], see: ['Mine', []] },
    },
    {
      input: { ...hello, issueNumber: 4, title: 'x' },
      title: 'a pull request',
      fails: 'NOT_FOUND',
    },
    { input: { ...first, title: '  ' }, title: 'a blank title', fails: 'VALIDATION' },
    { input: first, title: 'nothing to change', fails: 'VALIDATION' },
  ],
}
