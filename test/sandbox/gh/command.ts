import type { IssueOrPull, Store } from '../../../sandbox/index.ts'
import { hello, repositoryIn } from '../../parity/worlds.ts'

/** One run of `gh` in octo-org/hello-world, and the expected result. */
export interface GhCommand {
  /**
   * The arguments of `gh`, separated by spaces, or as a list if an argument contains spaces. Words
   * from `IDS` stand for ids that only the store knows.
   */
  readonly run: string | readonly string[]
  /** The first release that has the command. Older releases skip it. */
  readonly since?: string
  /** Part of the output, on either stream. Releases differ in the stream and in the text around it. */
  readonly prints?: string
  /** The output as JSON. */
  readonly json?: unknown
  /** Changes the seeded store before the run. */
  readonly given?: (store: Store) => void
  readonly stdin?: string
  /** Name → content of the files in the working directory. */
  readonly files?: Readonly<Record<string, string>>
  /** Runs in a clone of the repository, with the branch topic-4 checked out. */
  readonly inClone?: true
  /** Name → content of the files that the command creates in the working directory. */
  readonly makes?: Readonly<Record<string, string>>
  /** A look into the store after the run, and the expected result. */
  readonly leaves?: readonly [look: (store: Store) => unknown, seen: unknown]
  /** Allowed exit codes. @default 0 */
  readonly code?: number | readonly number[]
}

const runOn = (branch: string) => (store: Store) => {
  const run = store.workflowRuns.all().find(({ suite }) => suite.headBranch === branch)
  if (!run) throw new Error(`the seed has no run on ${branch}`)
  return run
}

/** Placeholders in commands. The runs belong to pull requests. The failed run failed in its second job. */
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
