import type { FaultMatch, Issue, PullRequest, Store } from '../../../sandbox/index.ts'
import { attic, hello, issueIn, pullIn, repositoryIn, times, userIn } from '../../parity/worlds.ts'
import { lostCommits } from './lost-commits.ts'
import { lostDiscussions } from './lost-discussions.ts'
import { lostReviews } from './lost-reviews.ts'
import { lostDeploymentReviews, lostSecurity } from './lost-security.ts'

type Input = Readonly<Record<string, unknown>>
// oxlint-disable-next-line typescript/no-explicit-any -- each reader answers in its own form
type Data = any

/** A write whose answer is lost, among many older items like the one it makes. */
export interface LostWrite {
  /** Adds the older items. */
  readonly given: (store: Store) => void
  readonly input: (store: Store) => Input
  /** The request that makes the change. @default a POST by REST */
  readonly on?: FaultMatch
  /** Whether the answer to the advised read shows the change. */
  readonly shows: (data: Data) => boolean
}

const MANY = 150
const OLD = '2026-01-05T00:00:00Z'
const MARK = 'Made once'

const marked = (name: string) => (data: Data) =>
  data.items.filter((item: Input) => item[name] === MARK).length === 1

const pull = { ...hello, prNumber: 4 }

function releaseIn(store: Store) {
  const release = repositoryIn(store).releases.find(({ tagName }) => tagName === 'v0.8.0')
  if (!release) throw new Error('the seed has no v0.8.0')
  return release
}

function runOf(store: Store, branch: string): number {
  const runs = store.workflowRuns.of(repositoryIn(store))
  return runs.find(run => run.suite.headBranch === branch)?.databaseId ?? 0
}

function addCommit(store: Store, branch: string): void {
  const changes = { log: crypto.randomUUID() }
  const fields = { author: userIn(store), message: 'Old', date: OLD, changes }
  store.git.commit(repositoryIn(store), { ...fields, branch })
}

function addBranches(store: Store): void {
  const oid = store.git.branch(repositoryIn(store), 'main')?.oid ?? ''
  times(MANY, number => store.git.createRef(repositoryIn(store), `refs/heads/b-${number}`, oid))
}

const threadOf = (store: Store) => {
  const [thread] = pullIn(store, 20).threads
  if (!thread) throw new Error('pull request 20 has no thread')
  return thread
}

const commented = (given: LostWrite['given'], input: Input): LostWrite => ({
  given,
  input: () => ({ ...hello, ...input, body: MARK }),
  shows: marked('body'),
})

const commentedOn = (subjectIn: (store: Store) => Issue | PullRequest, input: Input): LostWrite =>
  commented(store => {
    const old = { author: userIn(store), body: 'Old.', createdAt: OLD }
    times(MANY, () => store.comments.add(subjectIn(store), old))
  }, input)

const rerun = (input: Input): LostWrite => ({
  given: () => {},
  input: store => ({ ...hello, ...input, runId: runOf(store, 'topic-4') }),
  shows: data => data.attempt > 1,
})

/** One for each capability that has a `verify`. */
export const lostWrites: Readonly<Record<string, LostWrite>> = {
  ...lostDeploymentReviews,
  'issue.comments.create': commentedOn(store => issueIn(store, 1), { issueNumber: 1 }),
  'pr.comments.create': commentedOn(store => pullIn(store, 4), { prNumber: 4 }),
  'pr.reviews.submit': {
    given: store =>
      times(MANY, () => {
        const fields = { event: 'COMMENT', body: 'Old.', createdAt: OLD } as const
        store.reviews.add(pullIn(store, 4), { ...fields, author: userIn(store) })
      }),
    input: () => ({ ...pull, event: 'APPROVE', body: MARK }),
    shows: marked('body'),
  },
  'pr.threads.reply': {
    given: store => {
      const author = userIn(store)
      times(MANY, () => store.reviews.reply(threadOf(store), { author, body: 'Old.' }))
      for (const comment of threadOf(store).comments) {
        comment.createdAt = OLD
        comment.updatedAt = OLD
      }
    },
    input: store => ({ threadId: threadOf(store).nodeId, body: MARK }),
    on: { operation: 'ThreadReply' },
    shows: marked('body'),
  },
  'issue.create': {
    given: store =>
      times(MANY, number =>
        store.issues.add(repositoryIn(store), { title: `${number}`, author: userIn(store) }),
      ),
    input: () => ({ ...hello, title: MARK }),
    shows: marked('title'),
  },
  'pr.create': {
    given: store => {
      times(MANY, number => {
        const fields = { title: `${number}`, author: userIn(store), head: `b-${number}` }
        store.pullRequests.add(repositoryIn(store), fields)
      })
      addCommit(store, 'zulu')
    },
    input: () => ({
      ...hello,
      title: MARK,
      head: 'zulu',
      base: 'main',
    }),
    shows: marked('title'),
  },
  'pr.merge': {
    given: () => {},
    input: () => pull,
    on: { operation: 'PrMerge' },
    shows: data => data.state === 'MERGED',
  },
  'pr.close': {
    given: () => {},
    input: () => pull,
    on: { method: 'PATCH' },
    shows: data => data.state === 'CLOSED',
  },
  'gist.create': {
    given: store =>
      times(MANY, number => {
        const files = { [`${number}.txt`]: 'x' }
        store.gists.add({ owner: userIn(store), description: null, isPublic: true, files })
      }),
    input: () => ({ files: { 'a.txt': 'One file.\n' }, description: MARK }),
    shows: marked('description'),
  },
  'release.create': {
    given: store =>
      times(MANY, number => {
        const fields = { tagName: `old-${number}`, author: userIn(store), isDraft: number > 75 }
        store.releases.add(repositoryIn(store), fields)
      }),
    input: () => ({ ...hello, tagName: 'new', title: MARK }),
    shows: marked('name'),
  },
  'release.assets.upload': {
    given: store =>
      times(MANY / 2, number =>
        store.releaseAssets.add(releaseIn(store), {
          uploader: userIn(store),
          name: `old-${number}.txt`,
          label: null,
          contentType: 'text/plain',
          content: Buffer.from('x'),
        }),
      ),
    input: store => {
      const content = Buffer.from('New.').toString('base64')
      return { ...hello, releaseId: releaseIn(store).databaseId, assetName: 'new.txt', content }
    },
    shows: data => data.items.some((item: Input) => item.name === 'new.txt'),
  },
  'repo.create': {
    given: store =>
      times(MANY, number =>
        store.repositories.add({ owner: userIn(store), name: `old-${number}` }),
      ),
    input: () => ({ owner: 'octocat', name: 'fresh' }),
    shows: data => data.items.some((item: Input) => item.name === 'fresh'),
  },
  'repo.milestones.create': {
    given: store =>
      times(MANY, number => {
        const fields = { title: `${number}`, creator: userIn(store), createdAt: OLD }
        store.milestones.add(repositoryIn(store), fields)
      }),
    input: () => ({ ...hello, title: MARK }),
    shows: marked('title'),
  },
  'repo.branch.create': {
    given: addBranches,
    input: () => ({ ...hello, branch: 'zulu' }),
    shows: data => data.items.some((item: Input) => item.name === 'zulu'),
  },
  'repo.contents.put': {
    given: store => times(MANY, () => addCommit(store, 'main')),
    input: store => {
      const sha = store.git.object(repositoryIn(store), 'main:log')?.oid
      return { ...hello, path: 'log', message: MARK, content: 'New.\n', sha }
    },
    on: { method: 'PUT' },
    shows: marked('message'),
  },
  'workflow.dispatch': {
    given: store => {
      const repository = repositoryIn(store)
      const workflow = store.workflows.find(repository, 'release.yml')
      if (!workflow) throw new Error('the seed has no release.yml')
      times(MANY, () =>
        store.workflowRuns.add(workflow, {
          headSha: store.git.of(repository).head as string,
          headBranch: 'main',
          event: 'push',
          actor: userIn(store),
          progress: { status: 'completed', conclusion: 'success' },
        }),
      )
    },
    input: () => ({
      ...hello,
      workflowId: 'release.yml',
      ref: 'main',
      inputs: { environment: 'staging', dry_run: true },
    }),
    shows: data => Date.parse(data.items[0].createdAt) > Date.now() - 60_000,
  },
  'workflow.run.cancel': {
    given: () => {},
    input: store => ({ ...hello, runId: runOf(store, 'topic-8') }),
    shows: data => data.conclusion === 'CANCELLED',
  },
  'workflow.run.rerun.all': rerun({}),
  'workflow.run.rerun.failed': rerun({}),
  'pr.checks.rerun.all': rerun({ prNumber: 4 }),
  'pr.checks.rerun.failed': rerun({ prNumber: 4 }),
  ...lostReviews,
  ...lostCommits,
  ...lostDiscussions,
}

/** Changes without a verify, and the read that shows each. */
export const lostStates: Readonly<Record<string, LostWrite>> = {
  ...lostSecurity,
  'repo.update': {
    given: () => {},
    input: () => ({ ...hello, hasWiki: false, allowMergeCommit: false, description: MARK }),
    on: { method: 'PATCH' },
    shows: data => !data.hasWiki && !data.allowMergeCommit && data.description === MARK,
  },
  'repo.archive': {
    given: () => {},
    input: () => hello,
    on: { method: 'PATCH' },
    shows: data => data.isArchived,
  },
  'repo.unarchive': {
    given: () => {},
    input: () => attic,
    on: { method: 'PATCH' },
    shows: data => !data.isArchived,
  },
  'repo.labels.create': {
    given: store =>
      times(MANY, number => store.labels.add(repositoryIn(store), { name: `a-${number}` })),
    input: () => ({ ...hello, label: 'Zulu' }),
    shows: data => data.items.some((item: Input) => item.name === 'Zulu'),
  },
  'repo.branch.delete': {
    given: store => {
      addBranches(store)
      addCommit(store, 'zulu')
    },
    input: () => ({ ...hello, branch: 'zulu' }),
    on: { method: 'DELETE' },
    shows: data => data.items.length === 0 && !data.pageInfo.hasNextPage,
  },
  'pr.threads.resolve': {
    given: store => {
      const author = userIn(store)
      times(MANY, () => store.reviews.reply(threadOf(store), { author, body: 'Old.' }))
    },
    input: store => ({ threadId: threadOf(store).nodeId }),
    on: { operation: 'ThreadResolve' },
    shows: data => data.thread.isResolved,
  },
}
