import type { Store } from '../../../../sandbox/index.ts'
import type { Data, Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addDeployment, addEnvironment } from '../../deployment-world.ts'
import { hello, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const hidden = { owner: 'mallory', name: 'hidden' }
const each = (member: string) => (data: Data) =>
  data.items.map((item: Record<string, unknown>) => item[member])

const latest = (store: Store): Input => ({
  ...hello,
  deploymentId: store.deployments.of(repositoryIn(store))[0]?.databaseId,
})

export const cases: ParityCases = {
  'repo.environments.list': [
    { input: hello, answers: { look: each('name'), see: ['staging', 'production'] } },
    { input: { ...hello, first: 1 }, answers: { look: each('branchPolicy'), see: ['ALL'] } },
    { input: spoon, title: 'none' },
    { input: hidden, fails: 'NOT_FOUND' },
  ],
  'repo.environment.view': [
    {
      input: { ...hello, environment: 'production' },
      answers: {
        look: data => [data.waitTimer, data.branchPolicy, data.branchPatterns, data.reviewers],
        see: [30, 'CUSTOM', ['main', 'release/*'], [{ type: 'USER', name: 'octocat' }]],
      },
    },
    {
      input: { ...hello, environment: 'staging' },
      answers: { look: data => [data.branchPolicy, data.branchPatterns], see: ['ALL', []] },
    },
    {
      input: { ...hello, environment: 'locked' },
      given: store => {
        const fields = { name: 'locked', branches: 'protected', preventsSelfReview: true } as const
        const reviewers = [userIn(store, 'hubot')]
        store.deployments.addEnvironment(repositoryIn(store), { ...fields, reviewers })
      },
      answers: {
        look: data => [data.branchPolicy, data.preventsSelfReview, data.branchPatterns],
        see: ['PROTECTED', true, []],
      },
    },
    {
      input: { ...hello, environment: 'review/app 1' },
      given: store => void addEnvironment(store, 'review/app 1'),
    },
    { input: { ...hello, environment: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: { ...nothing, environment: 'staging' }, fails: 'NOT_FOUND' },
    { input: { ...hello, environment: '..' }, fails: 'VALIDATION' },
  ],
  'repo.deployments.list': [
    { input: hello, answers: { look: each('environment'), see: ['production', 'staging'] } },
    { input: { ...hello, environment: 'staging' }, answers: { look: each('ref'), see: ['main'] } },
    {
      input: { ...hello, ref: 'topic-4', task: 'deploy:migrations' },
      given: store => addDeployment(store, { ref: 'topic-4', task: 'deploy:migrations' }),
      answers: { look: each('task'), see: ['deploy:migrations'] },
    },
    { input: { ...hello, sha: '0'.repeat(40) }, answers: { look: each('sha'), see: [] } },
    { input: spoon, title: 'none' },
    { input: nothing, fails: 'NOT_FOUND' },
    { input: { ...hello, sha: 'abc' }, fails: 'VALIDATION' },
  ],
  'repo.deployment.view': [
    {
      input: latest,
      title: 'one',
      answers: {
        look: data => [
          data.environment,
          data.isProduction,
          data.latestStatus.state,
          data.latestStatus.environmentUrl,
        ],
        see: ['production', true, 'SUCCESS', 'https://production.example.test/'],
      },
    },
    {
      input: latest,
      title: 'one without a status',
      given: store => {
        const repository = repositoryIn(store)
        const sha = '1'.repeat(40)
        store.deployments.add(repository, {
          environment: 'x',
          ref: sha,
          sha,
          creator: userIn(store),
        })
      },
      answers: { look: ({ latestStatus }) => latestStatus, see: null },
    },
    { input: { ...hello, deploymentId: 404 }, fails: 'NOT_FOUND' },
  ],
  'repo.deployment.statuses.list': [
    {
      input: latest,
      title: 'two',
      answers: { look: each('state'), see: ['SUCCESS', 'IN_PROGRESS'] },
    },
    { input: { ...hello, deploymentId: 404 }, fails: 'NOT_FOUND' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  // The seed has two of each.
  'repo.environments.list': {
    given: store => times(229, number => void addEnvironment(store, `e-${number}`)),
    input: hello,
    count: 231,
  },
  'repo.deployments.list': {
    given: store => times(229, () => addDeployment(store, {})),
    input: hello,
    count: 231,
  },
  'repo.deployment.statuses.list': {
    given: store =>
      times(229, () => {
        const [deployment] = store.deployments.of(repositoryIn(store))
        if (!deployment) throw new Error('the seed has no deployment')
        store.deployments.addStatus(deployment, { state: 'in_progress', creator: userIn(store) })
      }),
    input: latest,
    count: 231,
  },
}
