import { Store, seedDefault } from '../../../sandbox/index.ts'
import { hello, issueIn, repositoryIn, userIn } from '../worlds.ts'
import type { HostileName } from './names.ts'

/** The things that hostile cases put into the sandbox, and reads of them afterwards. */
export const first = { ...hello, issueNumber: 1 }
const git = (store: Store) => store.git.of(repositoryIn(store))
export const headOf = (store: Store, branch: string) =>
  store.git.branch(repositoryIn(store), branch)?.oid ?? ''
export const everyName = ({ name, decoys }: HostileName) => [name, ...decoys]

const seeded = new Store(() => Date.UTC(2026, 2, 1))
seedDefault(seeded)

/** Puts a branch's name into a file of its own. */
export function addBranches(store: Store, names: readonly string[]): void {
  for (const branch of names) {
    const changes = { 'which.txt': branch }
    store.git.commit(repositoryIn(store), {
      author: userIn(store),
      message: `On ${branch}`,
      changes,
      branch,
    })
  }
}

export function addFiles(
  store: Store,
  paths: readonly string[],
  content = (path: string) => path,
): void {
  for (const path of paths) {
    const changes = { [path]: content(path) }
    store.git.commit(repositoryIn(store), {
      author: userIn(store),
      message: `At ${path}`,
      changes,
    })
  }
}

export function addLabels(store: Store, names: readonly string[]): void {
  for (const name of names) store.labels.add(repositoryIn(store), { name })
}

export function startRuns(store: Store, onBranches: readonly string[]): void {
  const [workflow] = store.workflows.of(repositoryIn(store))
  if (!workflow) throw new Error('the seed has no workflow')
  for (const headBranch of onBranches) {
    const headSha = headOf(store, 'main')
    store.workflowRuns.add(workflow, { headSha, headBranch, event: 'push', actor: userIn(store) })
  }
}

export function addReleases(store: Store, tags: readonly string[], isDraft = false): void {
  for (const tagName of tags) {
    const fields = { tagName, author: userIn(store), isDraft, name: `Of ${tagName}` }
    store.releases.create(repositoryIn(store), fields)
  }
}

export function addWorkflows(store: Store, files: readonly string[]): void {
  for (const file of files) {
    const path = `.github/workflows/${file}`
    store.workflows.add(repositoryIn(store), { name: file, path, dispatch: {} })
  }
}

/** The branches that the seed does not have. */
export const branches = (store: Store) => newRefs(store, 'refs/heads/')
export const newTags = (store: Store) => newRefs(store, 'refs/tags/')

function newRefs(store: Store, prefix: string): string[] {
  const old = git(seeded).refs
  return [...git(store).refs.keys()]
    .filter(ref => ref.startsWith(prefix) && !old.has(ref))
    .map(ref => ref.slice(prefix.length))
    .toSorted()
}

export function fileAt(store: Store, path: string, branch = 'main'): string | null {
  const object = store.git.object(repositoryIn(store), `${branch}:${path}`)
  return object?.kind === 'Blob' ? git(store).objects.blob(object.oid).toString() : null
}

export const labelsOfFirst = (store: Store) =>
  issueIn(store, 1)
    .labels.map(({ name }) => name)
    .toSorted()
export const newLabels = (store: Store) =>
  repositoryIn(store)
    .labels.slice(repositoryIn(seeded).labels.length)
    .map(({ name }) => name)
    .toSorted()
export const firstLabels = labelsOfFirst(seeded)

export function pullFrom(store: Store, head: string, base = 'main'): number {
  const fields = { title: `From ${head}`, author: userIn(store), head, base }
  return store.pullRequests.add(repositoryIn(store), fields).number
}

export const pullNumber = (store: Store, head: string) =>
  [...repositoryIn(store).items.values()].find(
    item => item.kind === 'PullRequest' && item.head.name === head,
  )?.number

export const lastPull = (store: Store) => {
  const item = [...repositoryIn(store).items.values()].at(-1)
  return item?.kind === 'PullRequest' ? [item.head.name, item.base.name] : null
}

export const lastRun = (store: Store) => {
  const run = store.workflowRuns.of(repositoryIn(store)).at(-1)
  return run && [run.workflow.path, run.suite.headBranch]
}

export const releaseOf = (store: Store, tagName: string) =>
  repositoryIn(store).releases.find(release => release.tagName === tagName)?.databaseId

export const tagNames = (store: Store) =>
  repositoryIn(store)
    .releases.slice(repositoryIn(seeded).releases.length)
    .map(({ tagName }) => tagName)
    .toSorted()
