import type { Store } from '../../../../sandbox/index.ts'
import type { ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, repositoryIn, userIn } from '../../worlds.ts'

const main = { ...hello, branch: 'main' }
const app = { databaseId: 7001, slug: 'octo-scan', name: 'Octo Scan' }

function protectFully(store: Store): void {
  store.rulesets.protect(repositoryIn(store), {
    pattern: 'main',
    reviews: {
      count: 2,
      dismissesStale: true,
      requiresCodeOwners: true,
      requiresLastPushApproval: true,
    },
    checks: {
      isStrict: true,
      required: [
        { context: 'test', app: null },
        { context: 'scan "all" 🚂', app },
      ],
    },
    pushers: [userIn(store), userIn(store, 'hubot')],
    isAdminEnforced: true,
    requiresLinearHistory: true,
    requiresSignatures: true,
    requiresConversationResolution: true,
    isLocked: true,
  })
}

function protectPattern(store: Store): void {
  const fields = { pattern: 'topic-*', allowsForcePushes: true, allowsDeletions: true, pushers: [] }
  store.rulesets.protect(repositoryIn(store), fields)
}

/** hubot may push, but does not administer the repository. */
function handOver(store: Store): void {
  protectFully(store)
  store.administration.setCollaborator(repositoryIn(store), userIn(store), 'maintain')
}

export const cases: ParityCases = {
  'repo.branch.protection.view': [
    {
      input: main,
      title: 'with everything',
      given: protectFully,
      answers: {
        look: data => [
          data.requiredApprovingReviewCount,
          data.requiredStatusChecks,
          data.pushActors,
        ],
        see: [
          2,
          [
            { context: 'scan "all" 🚂', appId: 7001 },
            { context: 'test', appId: null },
          ],
          [
            { type: 'USER', name: 'hubot' },
            { type: 'USER', name: 'octocat' },
          ],
        ],
      },
    },
    {
      input: { ...hello, branch: 'topic-4' },
      title: 'by a pattern, with next to nothing',
      given: protectPattern,
      answers: {
        look: data => [data.requiresApprovingReviews, data.allowsDeletions, data.restrictsPushes],
        see: [false, true, true],
      },
    },
    { input: main, title: 'a branch that is not protected', fails: 'NOT_FOUND' },
    { input: { ...hello, branch: 'nowhere' }, fails: 'NOT_FOUND' },
    { input: main, title: 'for those who may only push', given: handOver, fails: 'NOT_FOUND' },
    { input: { ...foreign, branch: 'main' }, given: addForeign, fails: 'NOT_FOUND' },
    { input: { ...hello, branch: 'a//b' }, fails: 'VALIDATION' },
  ],
}
