import type { Store } from '../../../sandbox/index.ts'
import { hello, issueIn, repositoryIn, userIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import {
  addFiles,
  addLabels,
  addWorkflows,
  everyName,
  fileAt,
  first,
  firstLabels,
  labelsOfFirst,
  lastRun,
  newLabels,
} from './world.ts'

const withFiles: HostileUse['given'] = (store, one) => addFiles(store, everyName(one))

export const fileUses: readonly HostileUse[] = [
  {
    capability: 'repo.contents.view',
    kind: 'file',
    member: 'path',
    all: true,
    input: path => ({ ...hello, path }),
    given: withFiles,
    answers: ({ name }) => ({ look: data => data.content, see: name }),
  },
  {
    capability: 'repo.contents.put',
    kind: 'file',
    member: 'path',
    all: true,
    input: path => ({ ...hello, path, message: 'New', content: 'written' }),
    given: (store, { decoys }) => addFiles(store, decoys),
    leaves: one => ({
      look: store => everyName(one).map(path => fileAt(store, path)),
      see: ['written', ...one.decoys],
    }),
  },
  {
    capability: 'repo.commits.list',
    kind: 'file',
    member: 'path',
    all: true,
    input: path => ({ ...hello, path }),
    given: withFiles,
    answers: ({ name }) => ({
      look: data => data.items.map((item: { message: string }) => item.message),
      see: [`At ${name}`],
    }),
  },
  {
    capability: 'repo.tree.list',
    kind: 'file',
    member: 'path',
    input: path => ({ ...hello, path }),
    given: (store, one) =>
      addFiles(
        store,
        everyName(one).map(folder => `${folder}/inside`),
      ),
    answers: ({ name }) => ({
      look: data => data.items.map((item: { path: string }) => item.path),
      see: [`${name}/inside`],
    }),
  },
]

const onFirst: HostileUse['given'] = (store, one) => {
  const names = everyName(one)
  addLabels(store, names)
  store.labels.attach(issueIn(store, 1), repositoryIn(store).labels.slice(-names.length))
}

export const labelUses: readonly HostileUse[] = [
  {
    capability: 'issue.labels.remove',
    kind: 'label',
    member: 'labels',
    all: true,
    input: label => ({ ...first, labels: [label] }),
    given: onFirst,
    leaves: ({ decoys }) => ({
      look: labelsOfFirst,
      see: [...firstLabels, ...decoys].toSorted(),
    }),
  },
  {
    capability: 'issue.labels.add',
    kind: 'label',
    member: 'labels',
    input: label => ({ ...first, labels: [label] }),
    given: (store, one) => addLabels(store, everyName(one)),
    leaves: ({ name }) => ({ look: labelsOfFirst, see: [...firstLabels, name].toSorted() }),
  },
  {
    capability: 'issue.labels.set',
    kind: 'label',
    member: 'labels',
    input: label => ({ ...first, labels: [label] }),
    given: onFirst,
    leaves: ({ name }) => ({ look: labelsOfFirst, see: [name] }),
  },
  {
    capability: 'repo.labels.create',
    kind: 'label',
    member: 'label',
    all: true,
    input: label => ({ ...hello, label, color: 'c0ffee' }),
    given: (store, { decoys }) => addLabels(store, decoys),
    leaves: one => ({ look: newLabels, see: everyName(one).toSorted() }),
  },
  {
    capability: 'repo.labels.update',
    kind: 'label',
    member: 'label',
    all: true,
    input: label => ({ ...hello, label, newName: 'changed' }),
    given: (store, one) => addLabels(store, everyName(one)),
    leaves: ({ decoys }) => ({ look: newLabels, see: [...decoys, 'changed'].toSorted() }),
  },
  {
    capability: 'repo.labels.update',
    kind: 'label',
    member: 'newName',
    input: newName => ({ ...hello, label: 'to-change', newName }),
    given: (store, { decoys }) => addLabels(store, [...decoys, 'to-change']),
    leaves: one => ({ look: newLabels, see: everyName(one).toSorted() }),
  },
  {
    capability: 'repo.labels.delete',
    kind: 'label',
    member: 'label',
    all: true,
    input: label => ({ ...hello, label }),
    given: (store, one) => addLabels(store, everyName(one)),
    leaves: ({ decoys }) => ({ look: newLabels, see: decoys.toSorted() }),
  },
]

const statesOf = (names: readonly string[]) => (store: Store) =>
  names.map(name => store.workflows.find(repositoryIn(store), name)?.state)

export const workflowUses: readonly HostileUse[] = [
  {
    capability: 'workflow.disable',
    kind: 'workflow',
    member: 'workflowId',
    input: workflowId => ({ ...hello, workflowId }),
    given: (store, one) => addWorkflows(store, everyName(one)),
    leaves: one => ({
      look: statesOf(everyName(one)),
      see: ['disabled_manually', ...one.decoys.map(() => 'active')],
    }),
  },
  {
    capability: 'workflow.enable',
    kind: 'workflow',
    member: 'workflowId',
    input: workflowId => ({ ...hello, workflowId }),
    given: (store, one) => {
      addWorkflows(store, everyName(one))
      for (const name of everyName(one)) {
        const workflow = store.workflows.find(repositoryIn(store), name)
        if (workflow) store.workflows.setState(workflow, 'disabled_manually')
      }
    },
    leaves: one => ({
      look: statesOf(everyName(one)),
      see: ['active', ...one.decoys.map(() => 'disabled_manually')],
    }),
  },
  {
    capability: 'workflow.view',
    kind: 'workflow',
    member: 'workflowId',
    all: true,
    input: workflowId => ({ ...hello, workflowId }),
    given: (store, one) => addWorkflows(store, everyName(one)),
    answers: ({ name }) => ({ look: data => data.path, see: `.github/workflows/${name}` }),
  },
  {
    capability: 'workflow.dispatch',
    kind: 'workflow',
    member: 'workflowId',
    all: true,
    input: workflowId => ({ ...hello, workflowId, ref: 'main' }),
    given: (store, one) => addWorkflows(store, everyName(one)),
    leaves: ({ name }) => ({ look: lastRun, see: [`.github/workflows/${name}`, 'main'] }),
  },
]

export const cacheUses: readonly HostileUse[] = [
  {
    capability: 'workflow.caches.list',
    kind: 'key',
    member: 'key',
    all: true,
    input: key => ({ ...hello, key }),
    given: (store, one) => {
      for (const key of everyName(one)) {
        const fields = { key, ref: 'refs/heads/main', size: 512 }
        store.administration.addCache({ repository: repositoryIn(store), ...fields })
      }
    },
    answers: one => ({
      look: data => data.items.map((item: { key: string }) => item.key).toSorted(),
      see: everyName(one)
        .filter(key => key.startsWith(one.name))
        .toSorted(),
    }),
  },
]

/** A search is a query of words, so a name is quoted. */
export const searchUses: readonly HostileUse[] = [
  {
    capability: 'search.issues',
    kind: 'label',
    member: null,
    input: name => ({ query: `repo:octo-org/hello-world "${name}"` }),
    given: (store, one) => {
      for (const title of everyName(one)) {
        store.issues.add(repositoryIn(store), { title, author: userIn(store) })
      }
    },
  },
  {
    capability: 'search.code',
    kind: 'file',
    member: null,
    input: name => ({ query: `"${name}" repo:octo-org/hello-world` }),
    given: withFiles,
  },
]
