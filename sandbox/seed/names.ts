import type { Label, Repository, Timestamp, User } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'

const BRANCHES = ['feature#1', '100%', 'a%2Fb', 'c+d']

/**
 * Adds the-hyphen/404: a user with a hyphen, a repository named like a status code, and branches,
 * files, labels, a milestone and a tag with characters that a careless client sends wrongly. It also has
 * discussions.
 */
export function seedNames(store: Store, octocat: User): void {
  const owner = store.accounts.addUser({ login: 'the-hyphen', createdAt: date(0) })
  const repository = store.repositories.add({
    owner,
    name: '404',
    description: 'Names that are hard to send.',
    collaborators: [[octocat, 'write']],
    createdAt: date(1),
  })
  for (const branch of BRANCHES) {
    const changes = { 'a b#c?.txt': `On ${branch}.\n`, 'über/🚂.md': '# 🚂\n' }
    const message = `Begin ${branch}`
    store.git.commit(repository, { author: owner, branch, message, changes, date: date(2) })
  }
  const label = store.labels.add(repository, {
    name: '🚂 good #1',
    description: 'Steam',
    createdAt: date(1),
  })
  seedDiscussions(store, repository, owner, octocat)
  seedWork(store, repository, label)
}

/** Issue 4 and pull requests 5 to 7 have these names, and so have a tag with a release. */
function seedWork(store: Store, repository: Repository, emoji: Label): void {
  const { owner } = repository
  if (owner.kind !== 'User') throw new Error('the repository belongs to a user')
  const labels = ['a:b', 'c+d, "e"', '--web'].map(name =>
    store.labels.add(repository, { name, description: `Called ${name}`, createdAt: date(1) }),
  )
  const milestone = store.milestones.add(repository, {
    title: '50% & more #1',
    creator: owner,
    createdAt: date(10),
  })
  const common = { author: owner, assignees: [owner], milestone, labels: [emoji, ...labels] }
  store.issues.add(repository, { ...common, title: 'Label: 🚂 #1', createdAt: date(10) })
  for (const [index, head] of BRANCHES.slice(1).entries()) {
    store.pullRequests.add(repository, {
      title: `From ${head} into feature#1`,
      author: owner,
      head,
      base: 'feature#1',
      labels: [...labels.slice(index), emoji],
      createdAt: date(11 + index),
    })
  }
  const tagName = 'v1+100%#a'
  store.releases.add(repository, {
    tagName,
    name: 'Out & about',
    author: owner,
    createdAt: date(14),
  })
}

/** 1 is answered, 2 is open, 3 has a category without answers. */
function seedDiscussions(store: Store, repository: Repository, owner: User, octocat: User): void {
  const { discussions } = store
  const add = (name: string, emoji: string, isAnswerable: boolean) =>
    discussions.addCategory(repository, { name, slug: slugOf(name), emoji, isAnswerable })
  const questions = add('Q&A', ':pray:', true)
  const ideas = add('Ideas', ':bulb:', false)
  const begin = (title: string, author: User, hour: number, category = questions) =>
    discussions.add({ category, title, author, body: `${title}?`, createdAt: date(hour) })

  const answered = begin('How do I send a #', owner, 3)
  const first = { author: octocat, body: 'As %23.', createdAt: date(4) }
  const answer = discussions.comment(answered, first)
  discussions.comment(answered, {
    author: owner,
    body: 'Thanks!',
    replyTo: answer,
    createdAt: date(5),
  })
  discussions.answer(answered, answer, owner)
  Object.assign(answered, { answeredAt: date(6), updatedAt: date(6) })
  const open = begin('And how a +', octocat, 7)
  discussions.comment(open, { author: owner, body: 'Let me think.', createdAt: date(8) })
  begin('Shorter names', octocat, 9, ideas)
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll('&', '-')
}

/** Three days after the seed begins, one hour apart. */
function date(hours: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 5, 3, 4, 5) + hours * 3_600_000)
}
