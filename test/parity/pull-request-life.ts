import type { Store } from '../../sandbox/index.ts'
import { hello, repositoryIn, userIn } from './worlds.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- answers of ten capabilities, read by member name
export type Answers = Readonly<Record<string, any>>

/** One call in the life of a pull request. */
export interface Step {
  readonly name: string
  readonly capability: string
  /** Builds the input from the `data` of earlier steps. */
  readonly input: (answers: Answers) => Readonly<Record<string, unknown>>
  /** The GraphQL operation, in the card's documents, that makes the change. */
  readonly mutation?: string
  /** The card cannot verify this write, so an unknown outcome stays unknown. */
  readonly staysInDoubt?: true
}

const of = (answers: Answers) => ({ ...hello, prNumber: answers.open.number })

/** From the branch to the release. The caller, octocat, may review its own pull request but not approve it. */
export const life: readonly Step[] = [
  {
    name: 'open',
    capability: 'pr.create',
    mutation: 'PrCreate',
    input: () => ({ ...hello, title: 'Say it louder', body: 'Why?', head: 'louder', base: 'main' }),
  },
  {
    name: 'comment',
    capability: 'pr.comments.create',
    mutation: 'PrCommentCreate',
    input: answers => ({ ...of(answers), body: 'Ready to be looked at.' }),
  },
  {
    name: 'review',
    capability: 'pr.reviews.submit',
    mutation: 'ReviewSubmit',
    input: answers => ({
      ...of(answers),
      event: 'COMMENT',
      body: 'Two questions.',
      comments: [
        { path: 'src/louder.ts', line: 2, body: 'Why twice?' },
        { path: 'src/louder.ts', startLine: 1, line: 3, body: 'Is all of this needed?' },
      ],
    }),
  },
  {
    name: 'threads',
    capability: 'pr.threads.list',
    input: of,
  },
  {
    name: 'reply',
    capability: 'pr.threads.reply',
    mutation: 'ThreadReply',
    input: ({ threads }) => ({ threadId: threads.items[0].id, body: 'Once is not loud enough.' }),
  },
  {
    name: 'resolve',
    capability: 'pr.threads.resolve',
    mutation: 'ThreadResolve',
    input: ({ threads }) => ({ threadId: threads.items[0].id }),
  },
  {
    name: 'checks',
    capability: 'pr.checks.list',
    input: of,
  },
  {
    name: 'merge',
    capability: 'pr.merge',
    mutation: 'PrMerge',
    input: answers => ({ ...of(answers), method: 'squash', deleteBranch: true }),
    staysInDoubt: true,
  },
  {
    name: 'release',
    capability: 'release.create',
    input: ({ open }) => ({
      ...hello,
      tagName: 'v2.0.0',
      title: 'Two',
      notes: `Louder, since #${open.number}.`,
      targetCommitish: 'main',
    }),
  },
  {
    name: 'publish',
    capability: 'release.publish',
    input: ({ release }) => ({ ...hello, releaseId: release.id }),
  },
]

/** Adds a pushed branch with a CI run. */
export function pushedBranch(store: Store): void {
  const repository = repositoryIn(store)
  const author = userIn(store)
  const { oid } = store.git.commit(repository, {
    author,
    branch: 'louder',
    message: 'Say it louder',
    changes: {
      'src/louder.ts': 'export function louder(text: string) {\n  return text + text\n}\n',
    },
  })
  const [ci] = store.workflows.of(repository)
  if (!ci) throw new Error('the seed has no workflow')
  store.workflowRuns.add(ci, {
    headBranch: 'louder',
    headSha: oid,
    event: 'push',
    actor: author,
    jobs: [
      { name: 'test', conclusion: 'success' },
      { name: 'deploy', conclusion: 'skipped' },
    ],
  })
}
