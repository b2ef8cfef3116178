import type { Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, pullIn, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const open = { ...hello, prNumber: 4 }

function react(store: Store): void {
  const [octocat, hubot] = [userIn(store), userIn(store, 'hubot')]
  const pull = pullIn(store, 4)
  const [comment] = pull.comments
  if (!comment) throw new Error('the seed has no comment on 4')
  for (const subject of [pull, comment]) {
    store.reactions.add(subject, hubot, 'HEART')
    store.reactions.add(subject, octocat, 'THUMBS_UP')
    store.reactions.add(subject, hubot, 'THUMBS_UP')
  }
  store.comments.add(pull, { author: hubot, body: 'Nobody reacts to this.' })
}

function reactByMany(store: Store): void {
  times(130, number => {
    const user = store.accounts.addUser({ login: `user-${number}` })
    store.reactions.add(pullIn(store, 4), user, 'ROCKET')
  })
}

export const cases: ParityCases = {
  'pr.reactions.list': [
    { input: open, title: 'none' },
    { input: open, given: react },
    { input: { ...open, content: 'HEART' }, given: react },
    { input: { ...open, content: 'EYES' }, title: 'none of these', given: react },
    { input: { ...open, reactorLogin: 'OctoCat' }, given: react },
    { input: open, title: 'by more than a page', given: reactByMany },
    { input: { ...hello, prNumber: 1 }, title: 'an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' },
  ],
  'pr.comments.reactions.list': [
    { input: open, title: 'none' },
    { input: open, given: react },
    { input: { ...open, content: 'HEART' }, given: react },
    { input: { ...open, reactorLogin: 'octocat', content: 'THUMBS_UP' }, given: react },
    { input: { ...open, reactorLogin: 'octocat', content: 'HEART' }, given: react },
    { input: { ...hello, prNumber: 1 }, title: 'an issue', fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'pr.comments.reactions.list': {
    given: store => {
      const author = userIn(store)
      const fields = { title: 'Talked about', author, head: 'talk' }
      const pull = store.pullRequests.add(repositoryIn(store, spoon), fields)
      times(230, number => {
        const comment = store.comments.add(pull, { author, body: `Comment ${number}` })
        store.reactions.add(comment, author, 'EYES')
      })
    },
    input: { ...spoon, prNumber: 2 },
    count: 230,
  },
}
