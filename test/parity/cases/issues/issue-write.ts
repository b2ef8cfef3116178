import type { Store } from '../../../../sandbox/index.ts'
import { associations, associationsIn, withNothing } from '../../associations.ts'
import type { Data, ParityCase, ParityCases } from '../../case.ts'
import { addForeign, attic, foreign, hello, issueIn, repositoryIn, userIn } from '../../worlds.ts'

const inProject = (data: Data) => typeof data.projectItemId
const noTemplates = {
  rest: 'creates no issues from templates',
  cli: 'creates no issues from templates',
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

/** The owner's issue types. */
function addTypes(store: Store): void {
  const { owner } = repositoryIn(store)
  if (owner.kind !== 'Organization') return
  store.issueTypes.add(owner, { name: 'Bug' })
  store.issueTypes.add(owner, { name: 'A & B #1' })
}

/** The inputs of both beside a title and a body. */
const placed = (input: object): ParityCase[] => [
  ...associations(input),
  { input: { ...input, projectNumber: 1 }, answers: { look: inProject, see: 'string' } },
  { input: { ...input, projectNumber: 99 }, fails: 'NOT_FOUND' },
  {
    input: { ...input, type: 'a & b #1' },
    given: addTypes,
    answers: { look: ({ type }) => type, see: 'A & B #1' },
  },
  { input: { ...input, type: 'nope' }, given: addTypes, fails: 'VALIDATION' },
  { input: { ...input, type: 'Bug' }, title: 'without issue types', fails: 'VALIDATION' },
]

export const cases: ParityCases = {
  'issue.create': [
    { input: { ...fresh, body: 'with a body' } },
    { input: { ...hello, title: 'Without a body' } },
    ...placed(fresh),
    {
      input: { ...fresh, template: 'Bug: 50 % # & 🚂', labels: ['enhancement'] },
      given: addTemplate,
      except: noTemplates,
      answers: {
        look: associationsIn,
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
      answers: { look: associationsIn, see: [[], [], null] },
    },
    { input: { ...attic, title: 'x' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
  ],
  'issue.update': [
    { input: { ...first, title: 'Renamed' } },
    { input: { ...first, body: '' } },
    ...placed(first),
    withNothing(first, store => store.issues.assign(issueIn(store, 1), [userIn(store)])),
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
