import type { Repository, Timestamp, User } from '../store/entities.ts'
import type { Changes } from '../store/git/commits.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'

const LINES = 40

/** Adds the first commits to `main` of octo-org/hello-world, with several kinds of file. */
export function seedHistory(store: Store, hello: Repository, octocat: User, hubot: User): void {
  const commits: [author: User, message: string, changes: Changes][] = [
    [octocat, 'Greet', { 'src/greet.ts': greet, 'src/index.ts': index }],
    [
      hubot,
      'Continuous integration\n\nRuns on every push.',
      { '.github/workflows/ci.yml': workflow },
    ],
    [octocat, 'Add the logo', { 'docs/assets/logo.png': logo }],
    [hubot, 'One part for each change', parts()],
  ]
  for (const [step, [author, message, changes]] of commits.entries()) {
    store.git.commit(hello, { author, message, changes, date: minute(step + 1) })
  }
}

/**
 * Changes the first `number` lines of a part, and adds a page with twice as many lines. No two pull
 * requests touch the same file.
 */
export function pullRequestChanges(number: number): Changes {
  const lines = partLines(number).map((line, index) =>
    index < number ? line.replace('before', 'after') : line,
  )
  const page = Array.from({ length: number * 2 }, (_, index) => `Line ${index + 1} of the page.\n`)
  return { [partPath(number)]: lines.join(''), [`docs/change-${number}.md`]: page.join('') }
}

/** Adds a commit and a tag for each published release. The tag of the prerelease is annotated. */
export function seedTags(store: Store, hello: Repository, author: User): void {
  for (const release of hello.releases.filter(({ isDraft }) => !isDraft)) {
    const { oid } = store.git.commit(hello, {
      author,
      message: `Release ${release.tagName}`,
      changes: { VERSION: `${release.tagName}\n` },
      date: release.createdAt,
    })
    store.git.createTag(hello, {
      name: release.tagName,
      oid,
      ...(release.isPrerelease && { message: 'To be tried out.\n', tagger: author }),
      date: release.createdAt,
    })
  }
}

/** Minutes after the repository was created. */
function minute(minutes: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 2, 4, 4, 5) + minutes * 60_000)
}

function parts(): Changes {
  const numbers = Array.from({ length: 10 }, (_, index) => (index + 1) * 4)
  return Object.fromEntries(
    numbers.map(number => [partPath(number), partLines(number).join('')] as const),
  )
}

function partPath(number: number): string {
  return `src/parts/part-${number}.ts`
}

function partLines(number: number): string[] {
  return Array.from(
    { length: LINES },
    (_, index) => `export const line${index + 1} = 'part ${number}, before'\n`,
  )
}

const greet = `/** Says hello. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`
}
`

const index = `import { greet } from './greet.ts'

console.log(greet('world'))
`

const workflow = `name: CI
on:
  push:
    branches: [main]
  pull_request:
  workflow_dispatch:
    inputs:
      level:
        description: How much to say
        default: info
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm test
`

/** The smallest PNG: one transparent pixel. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
