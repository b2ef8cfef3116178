import type { DiscussionCategory, Store } from '../../../../sandbox/index.ts'
import { ofActors } from '../../actors.ts'
import type { Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { repositoryIn, times, userIn } from '../../worlds.ts'

/** A repository whose owner has a hyphen and whose name is a status code. */
const odd = { owner: 'the-hyphen', name: '404' }
const answered = { ...odd, discussionNumber: 1 }
const open = { ...odd, discussionNumber: 2 }
const idea = { ...odd, discussionNumber: 3 }
const absent = { ...odd, discussionNumber: 99 }
const body = 'As "%2B", $(reboot) 🚂.'

const discussionIn = (store: Store, number: number) => {
  const found = store.discussions.of(repositoryIn(store, odd)).find(it => it.number === number)
  if (!found) throw new Error(`the seed has no discussion ${number}`)
  return found
}

/** The first comment on a discussion. */
const commentOf = (number: number, others: Input) => (store: Store) => ({
  ...others,
  commentId: discussionIn(store, number).comments[0]?.nodeId,
})

const questions = (store: Store) =>
  store.discussions.categories(repositoryIn(store, odd))[0] as DiscussionCategory

const answerOf = (number: number) => (store: Store) =>
  discussionIn(store, number).answer?.body ?? null

export const cases: ParityCases = {
  'discussion.categories.list': [
    { input: odd },
    { input: { ...odd, name: '405' }, fails: 'NOT_FOUND' },
    { input: { owner: 'octo-org', name: 'hello-world' }, title: 'none' },
  ],
  'discussion.list': [
    { input: odd },
    { input: { ...odd, category: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...odd, category: 'q-a', answered: false } },
    { input: { ...odd, state: 'closed' }, title: 'an empty list' },
  ],
  'discussion.view': [
    ...ofActors(open, (store, author) => Object.assign(discussionIn(store, 2), { author })),
    { input: answered },
    { input: absent, fails: 'NOT_FOUND' },
    { input: idea, title: 'without answers' },
  ],
  'discussion.create': [
    { input: { ...odd, category: 'ideas', title: 'Emoji 🚂', body } },
    { input: { ...odd, category: 'nowhere', title: 'x', body }, fails: 'NOT_FOUND' },
    { input: { ...odd, category: 'ideas', title: 'x', body: '' }, fails: 'VALIDATION' },
  ],
  'discussion.comments.list': [
    {
      input: answered,
      answers: { look: ({ items }) => items[0].replies[0].body, see: 'Thanks!' },
    },
    { input: absent, fails: 'NOT_FOUND' },
    { input: idea, title: 'none' },
    {
      input: { ...answered, since: '2026-01-05T08:00:00Z' },
      title: 'by the time of a reply',
      answers: { look: ({ items }) => items.length, see: 1 },
    },
  ],
  'discussion.comments.create': [
    { input: { ...open, body } },
    { input: { ...absent, body }, fails: 'NOT_FOUND' },
    {
      input: store => ({
        ...open,
        body,
        replyTo: discussionIn(store, 2).comments[0]?.nodeId,
      }),
      title: 'a reply',
      leaves: { look: store => discussionIn(store, 2).comments[0]?.replies.length, see: 1 },
    },
    {
      input: store => ({ ...open, body, replyTo: discussionIn(store, 1).comments[0]?.nodeId }),
      title: 'a reply to a comment on another discussion',
      fails: 'NOT_FOUND',
    },
  ],
  'discussion.answer.set': [
    {
      input: commentOf(2, open),
      leaves: { look: answerOf(2), see: 'Let me think.' },
    },
    { input: commentOf(2, answered), title: 'of another discussion', fails: 'NOT_FOUND' },
    { input: commentOf(1, answered), title: 'again' },
  ],
  'discussion.answer.clear': [
    { input: commentOf(1, answered), leaves: { look: answerOf(1), see: null } },
    { input: commentOf(2, answered), title: 'of another discussion', fails: 'NOT_FOUND' },
    { input: commentOf(2, open), title: 'one that is no answer' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'discussion.categories.list': {
    given: store =>
      times(228, number => {
        const fields = { name: `C ${number}`, slug: `c-${number}`, emoji: ':x:' }
        store.discussions.addCategory(repositoryIn(store, odd), { ...fields, isAnswerable: false })
      }),
    input: odd,
    count: 230,
  },
  'discussion.list': {
    given: store =>
      times(227, number => {
        const fields = { category: questions(store), author: userIn(store), body: 'x' }
        store.discussions.add({ ...fields, title: `Question ${number}` })
      }),
    input: odd,
    count: 230,
  },
  'discussion.comments.list': {
    given: store =>
      times(230, number => {
        const fields = { author: userIn(store), body: `Comment ${number}` }
        store.discussions.comment(discussionIn(store, 3), fields)
      }),
    input: idea,
    count: 230,
  },
}
