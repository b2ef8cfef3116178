import type { IssueOrPull } from '../../../sandbox/store/entities.ts'
import type { Store } from '../../../sandbox/store/store.ts'
import { hello, repositoryIn } from '../../parity/worlds.ts'

/** One run of `gh` in octo-org/hello-world, and what has to come of it. */
export interface GhCommand {
  /**
   * The words after `gh`, with blanks between them; a list where a word has blanks itself. Words of
   * `IDS` stand for ids that only the store knows.
   */
  readonly run: string | readonly string[]
  /** The oldest release that has it; older ones skip it. */
  readonly since?: string
  /** Part of what it prints. Newer releases print to another stream, or more around it. */
  readonly prints?: string
  /** The JSON that it prints. */
  readonly json?: unknown
  /** Changes the seeded store first. */
  readonly given?: (store: Store) => void
  readonly stdin?: string
  /** Name → content of files where it runs. */
  readonly files?: Readonly<Record<string, string>>
  /** Runs in a clone of the repository, with the branch topic-4 checked out. */
  readonly inClone?: true
  /** Files that it makes where it runs. */
  readonly makes?: Readonly<Record<string, string>>
  /** What is seen in the store afterwards, and how to look. */
  readonly leaves?: readonly [look: (store: Store) => unknown, seen: unknown]
  /** Those with which it may end. @default 0 */
  readonly code?: number | readonly number[]
}

const runOn = (branch: string) => (store: Store) => {
  const run = store.workflowRuns.all().find(({ suite }) => suite.headBranch === branch)
  if (!run) throw new Error(`the seed has no run on ${branch}`)
  return run
}

/** Stand-ins in commands. The runs are of pull requests; that which failed did so in its second job. */
const IDS: Readonly<Record<string, (store: Store) => string | number | undefined>> = {
  $failed: store => runOn('topic-4')(store).databaseId,
  $passed: store => runOn('topic-20')(store).databaseId,
  $queued: store => runOn('topic-24')(store).databaseId,
  $released: store =>
    store.workflowRuns.all().find(({ artifacts }) => artifacts.length > 0)?.databaseId,
  $job: store => runOn('topic-4')(store).suite.checkRuns[1]?.databaseId,
  $foreign: store => store.gists.all()[2]?.name,
  $gist: store => store.gists.all()[0]?.name,
}

export function wordsOf({ run }: GhCommand, store: Store): string[] {
  const words = typeof run === 'string' ? run.split(' ') : run
  return words.map(word =>
    word.replace(/\$[a-z]+/, name => String(IDS[name] ? IDS[name](store) : name)),
  )
}

export function titleOf({ run }: GhCommand): string {
  return typeof run === 'string' ? run : run.join(' ').replaceAll(/\s+/g, ' ')
}

export function item(number: number) {
  return (store: Store): IssueOrPull | undefined => repositoryIn(store, hello).items.get(number)
}
