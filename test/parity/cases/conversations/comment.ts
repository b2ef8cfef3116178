import type { Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { Input, ParityCase, ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, issueIn, pullIn, repositoryIn, userIn } from '../../worlds.ts'

type MakeInput = (store: Store) => Input

/** The first comment on an issue or pull request of hello-world. */
export function commentOn(issueNumber: number, others: Input = {}): MakeInput {
  return store => {
    const comment = repositoryIn(store).items.get(issueNumber)?.comments[0]
    return { ...hello, issueNumber, commentId: comment?.databaseId, ...others }
  }
}

/** The last comment of the first thread of pull request 20. */
export function reviewComment(others: Input = {}): MakeInput {
  return store => ({ ...hello, prNumber: 20, commentId: lastInThread(store), ...others })
}

function lastInThread(store: Store): number | undefined {
  return pullIn(store, 20).threads[0]?.comments.at(-1)?.databaseId
}

function foreignComment(store: Store): void {
  addForeign(store)
  const author = userIn(store, 'mallory')
  store.comments.add(issueIn(store, 1, repositoryIn(store, foreign)), { author, body: 'Mine.' })
}

/** `addForeign` adds no review comment, so this one is on an archived repository. */
const onForeign =
  (others: Input = {}): MakeInput =>
  store => {
    const comment = issueIn(store, 1, repositoryIn(store, foreign)).comments[0]
    return { ...foreign, issueNumber: 1, commentId: comment?.databaseId, ...others }
  }

function moreThanAHundred(store: Store): void {
  const thread = pullIn(store, 20).threads[0]
  if (!thread) throw new Error('the seed has no thread on 20')
  const author = userIn(store, 'hubot')
  for (let number = 1; number <= 80; number += 1) {
    store.reviews.reply(thread, { author, body: `More ${number}` })
  }
}

const beyond: Partial<ParityCase> = {
  title: 'behind a hundred others',
  given: moreThanAHundred,
  except: { graphql: 'GraphQL lists only a hundred comments of a thread' },
}

const absent = { ...hello, issueNumber: 2, commentId: 1 }
const absentReview = { ...hello, prNumber: 20, commentId: 1 }
const body = 'Anew: $(reboot) "and" 🚂'

export const cases: ParityCases = {
  'issue.comments.view': [
    ...ofActors(commentOn(2), (store, author) => {
      for (const comment of issueIn(store, 2).comments) comment.author = author
    }),
    { input: commentOn(2), title: 'on an issue' },
    { input: absent, fails: 'NOT_FOUND' },
    { input: commentOn(4), title: 'on a pull request' },
    { input: commentOn(2, { issueNumber: 1 }), title: 'on another issue', fails: 'NOT_FOUND' },
    { input: { ...absent, issueNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'issue.comments.update': [
    { input: commentOn(2, { body }), title: 'on an issue' },
    { input: { ...absent, body }, fails: 'NOT_FOUND' },
    { input: commentOn(4, { body }), title: 'on a pull request' },
    { input: commentOn(2, { issueNumber: 1, body }), title: 'elsewhere', fails: 'NOT_FOUND' },
    { input: commentOn(2, { body: '' }), title: 'empty', fails: 'VALIDATION' },
    {
      input: onForeign({ body }),
      given: foreignComment,
      title: "another user's",
      fails: 'FORBIDDEN',
    },
  ],
  'issue.comments.delete': [
    { input: commentOn(2), title: 'on an issue' },
    { input: absent, fails: 'NOT_FOUND' },
    { input: commentOn(4), title: 'on a pull request' },
    { input: commentOn(2, { issueNumber: 1 }), title: 'elsewhere', fails: 'NOT_FOUND' },
    { input: onForeign(), given: foreignComment, title: "another user's", fails: 'FORBIDDEN' },
  ],
  'pr.threads.comments.view': [
    ...ofActors(reviewComment(), (store, author) => {
      for (const comment of pullIn(store, 20).threads.flatMap(it => it.comments)) {
        comment.author = author
      }
    }),
    { input: reviewComment(), title: 'in a thread' },
    { input: absentReview, fails: 'NOT_FOUND' },
    { input: reviewComment({ prNumber: 4 }), title: 'elsewhere', fails: 'NOT_FOUND' },
    { input: reviewComment(), ...beyond },
    {
      input: store => ({
        ...hello,
        prNumber: 20,
        commentId: pullIn(store, 20).threads[2]?.comments[0]?.databaseId,
      }),
      title: 'on lines that have changed',
    },
  ],
  'pr.threads.comments.update': [
    { input: reviewComment({ body }), title: 'in a thread' },
    { input: { ...absentReview, body }, fails: 'NOT_FOUND' },
    { input: reviewComment({ prNumber: 4, body }), title: 'elsewhere', fails: 'NOT_FOUND' },
    { input: reviewComment({ body: '' }), title: 'empty', fails: 'VALIDATION' },
  ],
  'pr.threads.comments.delete': [
    { input: reviewComment(), title: 'in a thread' },
    { input: absentReview, fails: 'NOT_FOUND' },
    {
      input: store => ({
        ...hello,
        prNumber: 20,
        commentId: pullIn(store, 20).threads[1]?.comments[0]?.databaseId,
      }),
      title: 'the only one of its thread',
      leaves: { look: store => pullIn(store, 20).threads.length, see: 2 },
    },
  ],
}
