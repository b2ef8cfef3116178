import { seedActions } from './seed/actions.ts'
import { seedDeployments } from './seed/deployments.ts'
import { seedGists } from './seed/gists.ts'
import { pullRequestChanges, seedHistory, seedTags } from './seed/git.ts'
import { seedInbox } from './seed/inbox.ts'
import { seedNames } from './seed/names.ts'
import { seedPackages } from './seed/packages.ts'
import { seedProjects } from './seed/projects.ts'
import { seedReviews } from './seed/reviews.ts'
import { seedSecurity } from './seed/security.ts'
import type { Issue, Label, PullRequest, Repository, Timestamp, User } from './store/entities.ts'
import { licenses } from './store/licenses.ts'
import { toTimestamp } from './store/registry.ts'
import type { NewRepository } from './store/repositories.ts'
import type { Store } from './store/store.ts'

/** Fills an empty store. */
export type Seed = (store: Store) => void

/** The valid token of the default seed. It belongs to octocat. */
export const SANDBOX_TOKEN = 'sandbox-token'

/** The data of the demo, the benchmarks and most tests. It is always the same. */
export const seedDefault: Seed = store => {
  const people = addPeople(store)
  const { octocat, hubot, mallory } = people
  store.tokens.add({ token: SANDBOX_TOKEN, user: octocat })
  const base = addOrganization(store, people)
  const hello = store.repositories.add({
    ...base,
    name: 'hello-world',
    description: 'My first repository on the sandbox!',
    homepageUrl: 'https://example.test/hello',
    language: 'TypeScript',
    license: licenses.mit,
    topics: ['demo', 'sandbox'],
    stargazerCount: 42,
    forkCount: 7,
    watcherCount: 5,
  })
  fillHelloWorld(store, hello, octocat, hubot)
  addOtherRepositories(store, base, people)

  // New kinds of data go at the end, so that existing ids and numbers stay the same.
  seedReviews(store, hello, octocat, hubot)
  seedActions(store, hello, octocat, hubot)
  seedInbox(store, hello, octocat)
  seedProjects(store, hello, octocat, mallory)
  seedGists(store, octocat, hubot)
  seedNames(store, octocat)
  seedDeployments(store, hello, octocat, hubot)
  seedSecurity(store, hello, octocat, hubot)
  seedPackages(store, hello, octocat)
}

type People = Record<'octocat' | 'hubot' | 'mallory', User>
type Base = Pick<NewRepository, 'owner' | 'collaborators' | 'createdAt'>

function addPeople(store: Store): People {
  const octocat = store.accounts.addUser({
    login: 'octocat',
    name: 'The Octocat',
    email: 'octocat@example.test',
    createdAt: '2011-01-25T18:44:36Z',
  })
  const hubot = store.accounts.addUser({ login: 'hubot', name: 'Hubot', createdAt: date(0) })
  const mallory = store.accounts.addUser({ login: 'mallory', createdAt: date(0) })
  return { octocat, hubot, mallory }
}

/** Adds octo-org and returns the shared fields of its repositories. */
function addOrganization(store: Store, { octocat, hubot }: People): Base {
  const owner = store.accounts.addOrganization({
    login: 'octo-org',
    name: 'Octo Org',
    description: 'The organization of the sandbox.',
    members: [octocat, hubot],
    createdAt: date(0),
  })
  const collaborators = [
    [octocat, 'admin'],
    [hubot, 'write'],
  ] as const
  return { owner, collaborators, createdAt: date(1) }
}

/** Adds a user's repository, and a private, an archived, a disabled and a hidden one. */
function addOtherRepositories(store: Store, base: Base, people: People): void {
  const { octocat, hubot, mallory } = people
  const spoon = store.repositories.add({
    ...base,
    owner: octocat,
    name: 'spoon-knife',
    description: 'A small public repository.',
    stargazerCount: 3,
    watcherCount: 3,
  })
  addDefaultLabels(store, spoon)
  store.issues.add(spoon, { title: 'Where is the fork?', author: hubot, createdAt: date(2) })

  const secret = store.repositories.add({ ...base, name: 'secret-plans', visibility: 'private' })
  store.issues.add(secret, { title: 'Tell nobody', author: octocat, createdAt: date(3) })

  const attic = store.repositories.add({ ...base, name: 'attic', isArchived: true })
  store.issues.add(attic, { title: 'Left as it was', author: octocat, createdAt: date(4) })

  store.repositories.add({ ...base, name: 'no-issues', hasIssues: false })

  const hidden = store.repositories.add({
    owner: mallory,
    name: 'hidden',
    visibility: 'private',
    createdAt: date(1),
  })
  store.issues.add(hidden, { title: 'You cannot see this', author: mallory, createdAt: date(5) })
}

/**
 * Adds items 1 to 40, each with one label. Every fourth item is a pull request; the others are
 * issues. Issues divisible by 3 are closed, and issues divisible by 5 have no body. Issue 1 has
 * assignees and a milestone, and issue 2 has 14 comments.
 */
function fillHelloWorld(store: Store, repository: Repository, octocat: User, hubot: User): void {
  seedHistory(store, repository, octocat, hubot)
  const labels = addDefaultLabels(store, repository)
  const milestone = store.milestones.add(repository, {
    title: 'v1.0',
    creator: octocat,
    description: 'The first stable release.',
    dueOn: date(365),
    createdAt: date(2),
  })
  for (let number = 1; number <= 40; number += 1) {
    const author = number % 2 === 0 ? hubot : octocat
    const common = {
      author,
      createdAt: date(2 + number),
      labels: labels.filter((_label, index) => (number + index) % 5 === 0),
    }
    if (number % 4 === 0) {
      addPullRequest(store, repository, number, common)
    } else {
      const issue = store.issues.add(repository, {
        ...common,
        title: `Issue number ${number}`,
        body: number % 5 === 0 ? null : `What happens in issue ${number}, and what should happen.`,
        ...(number === 1 && { assignees: [octocat, hubot], milestone }),
      })
      if (number % 3 === 0) store.issues.close(issue, octocat, { at: date(100 + number) })
    }
  }
  addComments(store, repository, octocat, hubot)
  addReleases(store, repository, octocat)
  seedTags(store, repository, octocat)
}

/** Pull requests are, in turn, open, a draft, closed and merged. */
function addPullRequest(
  store: Store,
  repository: Repository,
  number: number,
  common: { author: User; createdAt: Timestamp; labels: Label[] },
): void {
  const pull = store.pullRequests.add(repository, {
    ...common,
    title: `Change number ${number}`,
    body: `What change ${number} does, and why.`,
    head: `topic-${number}`,
    isDraft: number % 16 === 8,
    changes: pullRequestChanges(number),
  })
  if (number % 16 === 12) store.issues.close(pull, common.author, { at: date(100 + number) })
  if (number % 16 === 0) {
    store.pullRequests.merge(pull, common.author, { now: date(100 + number) })
  }
}

function addComments(store: Store, repository: Repository, octocat: User, hubot: User): void {
  const busy = repository.items.get(2) as Issue
  for (let count = 1; count <= 14; count += 1) {
    store.comments.add(busy, {
      author: count % 2 === 0 ? octocat : hubot,
      body: `Comment ${count} on a busy issue.`,
      createdAt: date(150 + count),
    })
  }
  const pull = repository.items.get(4) as PullRequest
  store.comments.add(pull, { author: octocat, body: 'Looks good.', createdAt: date(170) })
}

/** Adds v0.1.0 to v0.8.0, a prerelease and a draft. The latest release is v0.8.0. */
function addReleases(store: Store, repository: Repository, author: User): void {
  for (let minor = 1; minor <= 8; minor += 1) {
    store.releases.add(repository, {
      tagName: `v0.${minor}.0`,
      name: `Version 0.${minor}`,
      body: `What is new in 0.${minor}.`,
      author,
      createdAt: date(200 + minor),
    })
  }
  const rest = { author, createdAt: date(210) }
  store.releases.add(repository, {
    ...rest,
    tagName: 'v1.0.0-rc.1',
    name: 'Release candidate',
    isPrerelease: true,
  })
  store.releases.add(repository, { ...rest, tagName: 'v1.0.0', name: 'One', isDraft: true })
}

function addDefaultLabels(store: Store, repository: Repository): Label[] {
  const labels = [
    { name: 'bug', color: 'd73a4a', description: "Something isn't working" },
    { name: 'documentation', color: '0075ca', description: 'Improvements to documentation' },
    { name: 'enhancement', color: 'a2eeef', description: 'New feature or request' },
    { name: 'good first issue', color: '7057ff', description: 'Good for newcomers' },
    { name: 'question', color: 'd876e3', description: 'Further information is requested' },
  ]
  return labels.map(label =>
    store.labels.add(repository, { ...label, isDefault: true, createdAt: date(1) }),
  )
}

/** The seed's events take place in the first ten days of 2026, one hour apart. */
function date(hours: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 2, 3, 4, 5) + hours * 3_600_000)
}
