import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import {
  addForeign,
  attic,
  foreign,
  hello,
  issueIn,
  repositoryIn,
  spoon,
  times,
} from '../../worlds.ts'

const first = { ...hello, issueNumber: 1 }

/** Adds more than a page of labels, with the wanted ones at the end. */
function addManyLabels(store: Store): void {
  const repository = repositoryIn(store)
  times(230, number => store.labels.add(repository, { name: `topic ${number}` }))
  store.labels.add(repository, { name: 'zebra' })
  store.labels.add(repository, { name: 'süß & "scharf"/100%' })
}

const late = ['zebra', 'süß & "scharf"/100%']

export const cases: ParityCases = {
  'issue.labels.add': [
    { input: { ...first, labels: ['question', 'good first issue'] } },
    { input: { ...first, labels: ['QUESTION'] }, title: 'in other letters' },
    { input: { ...hello, issueNumber: 4, labels: ['bug'] }, title: 'of a pull request' },
    { input: { ...first, labels: late }, given: addManyLabels, title: 'among hundreds' },
    { input: { ...first, labels: ['bug', 'bugg'] }, fails: 'NOT_FOUND' },
    { input: { ...hello, issueNumber: 9999, labels: ['bug'] }, fails: 'NOT_FOUND' },
    {
      input: { ...foreign, issueNumber: 1, labels: ['bug'] },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
    { input: { ...first, labels: [''] }, fails: 'VALIDATION' },
  ],
  'issue.labels.remove': [
    { input: { ...first, labels: ['question'] } },
    {
      input: { ...first, labels: ['nope', 'QUESTION', 'bug'] },
      title: 'one that it has, one that it lacks and one that does not exist',
      answers: { look: data => data.removed, see: ['question'] },
    },
    {
      input: { ...first, labels: ['nope'] },
      title: 'one that does not exist',
      answers: { look: data => data.removed, see: [] },
    },
    {
      input: { ...first, labels: ['Bug', 'enhancement'] },
      given: store =>
        store.labels.attach(issueIn(store, 1), repositoryIn(store).labels.slice(0, 3)),
      title: 'two of three',
    },
    {
      input: { ...first, labels: late },
      given(store) {
        addManyLabels(store)
        store.labels.attach(issueIn(store, 1), repositoryIn(store).labels.slice(-2))
      },
      title: 'among hundreds',
    },
    { input: { ...hello, issueNumber: 4, labels: ['bug'] }, title: 'of a pull request' },
    { input: { ...hello, issueNumber: 9999, labels: ['bug'] }, fails: 'NOT_FOUND' },
    {
      input: { ...foreign, issueNumber: 1, labels: ['bug'] },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
  ],
  'issue.labels.set': [
    { input: { ...first, labels: ['question', 'bug'] } },
    { input: { ...first, labels: [] }, title: 'to none' },
    { input: { ...first, labels: late }, given: addManyLabels, title: 'among hundreds' },
    { input: { ...first, labels: ['bugg'] }, fails: 'NOT_FOUND' },
    {
      input: { ...hello, issueNumber: 4, labels: ['bug'] },
      title: 'of a pull request',
      fails: 'NOT_FOUND',
    },
    {
      input: { ...foreign, issueNumber: 1, labels: ['bug'] },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
  ],
  'repo.labels.list': [
    { input: hello },
    { input: { ...hello, first: 2 } },
    {
      input: { ...hello, prefix: 'ZULU', first: 1 },
      title: 'those with a prefix, behind many others',
      given: store => {
        times(150, number => store.labels.add(repositoryIn(store), { name: `topic ${number}` }))
        for (const name of ['zulu', 'Zulu time', 'Not zulu'])
          store.labels.add(repositoryIn(store), { name })
      },
      answers: { look: ({ items }) => items[0].name, see: 'zulu' },
    },
    { input: { owner: 'octo-org', name: 'no-issues' }, title: 'an empty list' },
    {
      input: hello,
      given: store => store.labels.add(repositoryIn(store), { name: 'Älter', color: 'ABCDEF' }),
      title: 'without a description, in capitals',
    },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
  ],
  'repo.labels.create': [
    { input: { ...hello, label: 'brand new', color: 'c0ffee', description: 'Shiny' } },
    { input: { ...hello, label: 'plain: 100% & more?' }, title: 'a name alone' },
    {
      input: { ...hello, label: 'bug', color: 'd73a4a', description: "Something isn't working" },
      title: 'one that is there just so',
    },
    {
      input: { ...hello, label: 'BUG' },
      title: 'one that is there otherwise',
      fails: 'CONFLICT',
    },
    { input: { ...hello, label: '  ' }, fails: 'VALIDATION' },
    { input: { ...hello, label: 'x', color: 'red' }, fails: 'VALIDATION' },
    { input: { ...attic, label: 'x' }, title: 'in an archived repository', fails: 'FORBIDDEN' },
    { input: { ...foreign, label: 'x' }, given: addForeign, fails: 'FORBIDDEN' },
    { input: { owner: 'octo-org', name: 'nothing-here', label: 'x' }, fails: 'NOT_FOUND' },
  ],
  'repo.labels.update': [
    {
      input: { ...hello, label: 'bug', newName: 'Fehler', color: 'c0ffee', description: 'Neu' },
      answers: {
        look: data => [data.name, data.color, data.description],
        see: ['Fehler', 'c0ffee', 'Neu'],
      },
    },
    { input: { ...hello, label: 'BUG', newName: 'Bug' }, title: 'the case of its name' },
    { input: { ...hello, label: 'bug', description: '' }, title: 'no description' },
    { input: { ...hello, label: 'bug', newName: 'question' }, fails: 'CONFLICT' },
    { input: { ...hello, label: 'bug' }, title: 'nothing to change', fails: 'VALIDATION' },
    { input: { ...hello, label: 'bug', color: 'red' }, fails: 'VALIDATION' },
    { input: { ...hello, label: 'nothing', newName: 'x' }, fails: 'NOT_FOUND' },
    {
      input: { ...foreign, label: 'bug', newName: 'x' },
      given: addForeign,
      fails: 'FORBIDDEN',
    },
  ],
  'repo.labels.delete': [
    {
      input: { ...hello, label: 'Bug' },
      leaves: {
        look: store => [
          store.labels.find(repositoryIn(store), 'bug'),
          issueIn(store, 1).labels.some(({ name }) => name === 'bug'),
        ],
        see: [undefined, false],
      },
    },
    { input: { ...hello, label: 'nothing' }, fails: 'NOT_FOUND' },
    { input: { ...foreign, label: 'bug' }, given: addForeign, fails: 'FORBIDDEN' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.labels.list': {
    given: store =>
      times(225, number =>
        store.labels.add(repositoryIn(store, spoon), { name: `topic ${number}` }),
      ),
    input: spoon,
    count: 230,
  },
}
