import type { Store } from '../../../../sandbox/index.ts'
import type { Input, ParityCase, ParityCases } from '../../case.ts'
import { attic, hello, repositoryIn, times, userIn } from '../../worlds.ts'
import { commentOn, reviewComment } from './comment.ts'

type Subject = Parameters<Store['reactions']['add']>[0]

/** A kind of thing that has reactions: how a call names one, and where the store keeps it. */
interface Kind {
  readonly id: string
  readonly input: (others?: Input) => (store: Store) => Input
  readonly find: (store: Store) => Subject | undefined
  /** A call that names something else. */
  readonly absent: Input
}

const kinds: readonly Kind[] = [
  {
    id: 'issue',
    input: others => () => ({ ...hello, issueNumber: 1, ...others }),
    find: store => repositoryIn(store).items.get(1),
    absent: { ...hello, issueNumber: 4 },
  },
  {
    id: 'pr',
    input: others => () => ({ ...hello, prNumber: 4, ...others }),
    find: store => repositoryIn(store).items.get(4),
    absent: { ...hello, prNumber: 1 },
  },
  {
    id: 'issue.comments',
    input: others => commentOn(2, others),
    find: store => repositoryIn(store).items.get(2)?.comments[0],
    absent: { ...hello, issueNumber: 2, commentId: 1 },
  },
  {
    id: 'pr.threads.comments',
    input: reviewComment,
    find: store => {
      const pull = repositoryIn(store).items.get(20)
      return pull?.kind === 'PullRequest' ? pull.threads[0]?.comments.at(-1) : undefined
    },
    absent: { ...hello, prNumber: 20, commentId: 1 },
  },
]

function found(store: Store, { find }: Kind): Subject {
  const subject = find(store)
  if (!subject) throw new Error('the seed lacks the subject')
  return subject
}

const reacted =
  (kind: Kind) =>
  (store: Store): void => {
    const [octocat, hubot] = [userIn(store), userIn(store, 'hubot')]
    const subject = found(store, kind)
    store.reactions.add(subject, hubot, 'THUMBS_UP')
    store.reactions.add(subject, octocat, 'THUMBS_UP')
    store.reactions.add(subject, hubot, 'HEART')
  }

const byMany =
  (kind: Kind) =>
  (store: Store): void =>
    times(130, number => {
      const user = store.accounts.addUser({ login: `user-${number}` })
      store.reactions.add(found(store, kind), user, 'ROCKET')
    })

const contents = (kind: Kind) => (store: Store) =>
  found(store, kind).reactions.map(({ user, content }) => `${user.login} ${content}`)

function casesOf(kind: Kind): [string, readonly ParityCase[]][] {
  const given = reacted(kind)
  const input = (content: string) => kind.input({ content })
  const look = contents(kind)
  return [
    [
      `${kind.id}.reactions.add`,
      [
        { input: input('THUMBS_DOWN'), leaves: { look, see: ['octocat THUMBS_DOWN'] } },
        { input: { ...kind.absent, content: 'EYES' }, fails: 'NOT_FOUND' },
        { input: input('THUMBS_UP'), given, title: 'again' },
        { input: input('NOSE'), title: 'with no such emoji', fails: 'VALIDATION' },
      ],
    ],
    [
      `${kind.id}.reactions.remove`,
      [
        {
          input: input('THUMBS_UP'),
          given,
          leaves: { look, see: ['hubot THUMBS_UP', 'hubot HEART'] },
          answers: { look: data => data.removed, see: true },
        },
        { input: { ...kind.absent, content: 'EYES' }, fails: 'NOT_FOUND' },
        {
          input: input('HEART'),
          given,
          title: "another user's",
          answers: { look: data => data.removed, see: false },
        },
      ],
    ],
  ]
}

function listCasesOf(kind: Kind): [string, readonly ParityCase[]] {
  const given = reacted(kind)
  return [
    `${kind.id}.reactions.list`,
    [
      { input: kind.input(), given },
      { input: kind.absent, fails: 'NOT_FOUND' },
      { input: kind.input(), title: 'none' },
      { input: kind.input({ content: 'HEART' }), given, title: 'of one emoji' },
      { input: kind.input({ reactorLogin: 'OctoCat' }), given, title: 'of one user' },
      { input: kind.input(), given: byMany(kind), title: 'by more than a page' },
    ],
  ]
}

const archived = { ...attic, issueNumber: 1, content: 'HEART' }
const inAttic: ParityCase = { input: archived, title: 'in an archive', fails: 'FORBIDDEN' }
const all = new Map(kinds.flatMap(casesOf))

export const cases: ParityCases = {
  ...Object.fromEntries(all),
  'issue.reactions.add': [...(all.get('issue.reactions.add') ?? []), inAttic],
  // The cases of pr.reactions.list are with those of other pull requests.
  ...Object.fromEntries(kinds.filter(({ id }) => id !== 'pr').map(listCasesOf)),
}
