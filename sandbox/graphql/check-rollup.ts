import type * as G from '@octokit/graphql-schema'
import type { CheckRun, StatusContext } from '../store/actions/entities.ts'
import { latestRuns } from '../store/actions/progress.ts'
import type { Repository } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import { connection } from './connection.ts'
import type { Fields } from './fields.ts'

type Reported = CheckRun | StatusContext

interface Rollup {
  repository: Repository
  sha: string
  contexts: Reported[]
}

/** All checks and statuses of one commit. Null if there are none. */
export function rollupOf(store: Store, repository: Repository, sha: string): Rollup | null {
  const contexts = [
    ...store.checks.suites(repository, sha).flatMap(latestRuns),
    ...store.checks.latestStatuses(repository, sha),
  ]
  return contexts.length > 0 ? { repository, sha, contexts } : null
}

/** The fields that `StatusCheckRollup` and `Status` share. */
const sharedFields = (prefix: string) =>
  ({
    id: ({ repository, sha }) =>
      `${prefix}_${Buffer.from(`${repository.databaseId}/${sha}`).toString('base64url')}`,
    commit: ({ repository, sha }, _args, { store }) => store.git.commitAt(repository, sha),
    state: ({ contexts }) => worstOf(contexts),
  }) satisfies Fields<Rollup, G.StatusCheckRollup & G.Status>

export const rollupFields: Fields<Rollup, G.StatusCheckRollup> = {
  ...sharedFields('SCR'),
  contexts({ contexts }, args: G.StatusCheckRollupContextsArgs, _context, info) {
    const runs = contexts.filter(it => it.kind === 'CheckRun')
    const statuses = contexts.filter(it => it.kind === 'StatusContext')
    return {
      ...connection(contexts, args, info),
      checkRunCount: runs.length,
      checkRunCountsByState: countBy(runs.map(({ status, conclusion }) => conclusion ?? status)),
      statusContextCount: statuses.length,
      statusContextCountsByState: countBy(statuses.map(({ state }) => state)),
    }
  },
}

/** Only the commit statuses. Null if there are none. */
export function statusOf(store: Store, repository: Repository, sha: string): Rollup | null {
  const contexts = store.checks.latestStatuses(repository, sha)
  return contexts.length > 0 ? { repository, sha, contexts } : null
}

export const statusFields: Fields<Rollup, G.Status> = {
  ...sharedFields('S'),
  contexts: ({ contexts }) => contexts,
  context: ({ contexts }, { name }: G.StatusContextArgs) =>
    contexts.find(it => it.kind === 'StatusContext' && it.context === name) ?? null,
}

const weights = ['ERROR', 'FAILURE', 'PENDING', 'SUCCESS'] as const

function worstOf(contexts: readonly Reported[]): G.StatusState {
  const states = contexts.map(stateOf)
  return weights.find(state => states.includes(state)) ?? 'SUCCESS'
}

function stateOf(reported: Reported): G.StatusState {
  if (reported.kind === 'StatusContext') return reported.state.toUpperCase() as G.StatusState
  switch (reported.conclusion) {
    case null:
    case 'stale':
      return 'PENDING'
    case 'success':
    case 'neutral':
    case 'skipped':
      return 'SUCCESS'
    default:
      return 'FAILURE'
  }
}

function countBy(values: readonly string[]) {
  const states = [...new Set(values)]
  return states.map(state => ({
    state: state.toUpperCase(),
    count: values.filter(value => value === state).length,
  }))
}
