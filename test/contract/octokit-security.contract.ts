import { describe, expect, test } from 'vitest'
import { LEAKED_SECRET } from '../../sandbox/index.ts'
import { addEnvironment, addWaitingRun } from '../parity/deployment-world.ts'
import { openOctokit, repo } from './octokit.ts'

const { sandbox, octokit } = await openOctokit()
const { rest, paginate, graphql } = octokit

describe('alerts', () => {
  test('of code scanning are listed, dismissed and reopened', async () => {
    const open = await paginate(rest.codeScanning.listAlertsForRepo, { ...repo, state: 'open' })
    expect(open.map(({ number }) => number)).toEqual([4, 1])
    const at = { ...repo, alert_number: 1 }
    const { data } = await rest.codeScanning.updateAlert({
      ...at,
      state: 'dismissed',
      dismissed_reason: "won't fix",
    })
    expect(data).toMatchObject({ state: 'dismissed', dismissed_by: { login: 'octocat' } })
    const again = await rest.codeScanning.updateAlert({ ...at, state: 'open' })
    expect(again.data.dismissed_reason).toBeNull()
  })

  test('of Dependabot follow the cursors of links', async () => {
    const all = await paginate(rest.dependabot.listAlertsForRepo, { ...repo, per_page: 1 })
    expect(all.map(({ number }) => number)).toEqual([4, 3, 2, 1])
  })

  test('about secrets hide the secret if asked to', async () => {
    const at = { ...repo, alert_number: 1 }
    const { data } = await rest.secretScanning.getAlert(at)
    expect(data.secret).toBe(LEAKED_SECRET)
    const hidden = await rest.secretScanning.getAlert({ ...at, hide_secret: true })
    expect(JSON.stringify(hidden.data)).not.toContain(LEAKED_SECRET)
  })
})

describe('deployments', () => {
  test('show their statuses and environments, whatever their names', async () => {
    const { data } = await rest.repos.listDeployments({ ...repo, environment: 'production' })
    const deployment_id = data[0]?.id ?? 0
    const statuses = await rest.repos.listDeploymentStatuses({ ...repo, deployment_id })
    expect(statuses.data.map(({ state }) => state)).toEqual(['success', 'in_progress'])
    const { store } = sandbox
    addEnvironment(store, 'review/app #1')
    const environment_name = 'review/app #1'
    const shown = await rest.repos.getEnvironment({ ...repo, environment_name })
    expect(shown.data.name).toBe(environment_name)
  })

  test('that wait are approved by the numbers of their environments', async () => {
    const { store } = sandbox
    const run_id = addWaitingRun(store, [addEnvironment(store, 'zulu')]).databaseId
    const { data } = await rest.actions.getPendingDeploymentsForRun({ ...repo, run_id })
    const environment_ids = data.map(({ environment }) => environment.id ?? 0)
    const review = { ...repo, run_id, environment_ids, state: 'approved', comment: 'Go.' } as const
    await rest.actions.reviewPendingDeploymentsForRun(review)
    const reviews = await rest.actions.getReviewsForRun({ ...repo, run_id })
    expect(reviews.data).toMatchObject([{ state: 'approved', comment: 'Go.' }])
  })
})

describe('rules', () => {
  test('of a ruleset hold for the branches that fit its patterns', async () => {
    const repository = sandbox.store.repositories.find('octo-org', 'hello-world')
    if (!repository) throw new Error('the seed has no octo-org/hello-world')
    const { databaseId } = sandbox.store.rulesets.add(repository, {
      name: 'Releases',
      include: ['refs/heads/release/*'],
      rules: [{ type: 'deletion' }, { type: 'required_signatures' }],
    })
    const { data } = await rest.repos.getBranchRules({ ...repo, branch: 'release/1' })
    expect(data.map(({ type }) => type)).toEqual(['deletion', 'required_signatures'])
    const shown = await rest.repos.getRepoRuleset({ ...repo, ruleset_id: databaseId })
    expect(shown.data.conditions).toEqual({
      ref_name: { include: ['refs/heads/release/*'], exclude: [] },
    })
    // The fields that `gh ruleset list` asks for.
    const { level } = await graphql<{ level: { rulesets: unknown } }>(
      `query ($owner: String!, $repo: String!) {
        level: repository(owner: $owner, name: $repo) {
          rulesets(first: 30, includeParents: true) {
            nodes { databaseId name enforcement source { __typename ... on Repository { nameWithOwner } } rules { totalCount } }
          }
        }
      }`,
      repo,
    )
    const source = { __typename: 'Repository', nameWithOwner: 'octo-org/hello-world' }
    const one = { databaseId, name: 'Releases', enforcement: 'ACTIVE', source }
    expect(level.rulesets).toEqual({ nodes: [{ ...one, rules: { totalCount: 2 } }] })
  })

  test('of a protected branch are for administrators', async () => {
    const asked = rest.repos.getBranchProtection({ ...repo, branch: 'main' })
    await expect(asked).rejects.toMatchObject({ status: 404 })
  })
})
