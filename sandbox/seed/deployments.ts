import type { Repository, Timestamp, User } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Store } from '../store/store.ts'

/** Adds the environments staging and production of octo-org/hello-world. main was deployed to both. */
export function seedDeployments(store: Store, hello: Repository, octocat: User, hubot: User): void {
  const { deployments } = store
  const sha = store.git.of(hello).head as string
  deployments.addEnvironment(hello, { name: 'staging', createdAt: date(0) })
  deployments.addEnvironment(hello, {
    name: 'production',
    waitTimer: 30,
    reviewers: [octocat],
    branches: ['main', 'release/*'],
    createdAt: date(1),
  })
  for (const [index, environment] of ['staging', 'production'].entries()) {
    const made = { creator: hubot, createdAt: date(2 + index) }
    const fields = { environment, ref: 'main', sha, description: `To ${environment}.`, ...made }
    const deployment = deployments.add(hello, fields)
    deployments.addStatus(deployment, { ...made, state: 'in_progress' })
    deployments.addStatus(deployment, {
      creator: hubot,
      createdAt: date(3 + index),
      state: 'success',
      description: 'It runs.',
      environmentUrl: `https://${environment}.example.test/`,
      logUrl: 'https://ci.example.test/logs?id=1#end',
    })
  }
}

/** Seven days after the seed begins, one hour apart. */
function date(hours: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 9, 3, 4, 5) + hours * 3_600_000)
}
