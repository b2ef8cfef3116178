import type { PullRequest, Store } from '../../../../sandbox/index.ts'
import type { ManyItemsByCapability, ParityCases } from '../../case.ts'
import { hello, pullIn, repositoryIn, spoon, times, userIn } from '../../worlds.ts'

const attic = { owner: 'octo-org', name: 'attic' }
/** Open, by hubot. The sandbox's token belongs to octocat, who administers the repository. */
const open = { ...hello, prNumber: 4 }
const draft = { ...hello, prNumber: 8 }
const closed = { ...hello, prNumber: 12 }
const merged = { ...hello, prNumber: 16 }
const anIssue = { ...hello, prNumber: 1 }
const isAnIssue = { input: anIssue, title: 'an issue', fails: 'NOT_FOUND' } as const
const isNotThere = { input: { ...hello, prNumber: 9999 }, fails: 'NOT_FOUND' } as const
const isHidden = {
  input: { owner: 'mallory', name: 'hidden', prNumber: 1 },
  fails: 'NOT_FOUND',
} as const

const UNSEEN = '0123456789abcdef0123456789abcdef01234567'
/** As the caller saw it last. */
const seen = (store: Store) => ({ ...open, expectedHead: pullIn(store, 4).head.sha })

const lastMessage = (store: Store) =>
  store.git.of(repositoryIn(store)).objects.commit(pullIn(store, 4).mergeCommitSha ?? '').message

function commitOnMain(store: Store, path = 'NEWS.md'): void {
  const changes = { [path]: 'Something else.\n' }
  store.git.commit(repositoryIn(store), { author: userIn(store), message: 'Go on', changes })
}

function conflict(store: Store): void {
  commitOnMain(store, 'src/parts/part-4.ts')
}

function rules(rule: 'requiresApproval' | 'requiresUpToDate' | 'hasMergeQueue') {
  return (store: Store) => {
    repositoryIn(store).merging.branches.set('main', { [rule]: true })
  }
}

function ruleset(store: Store): void {
  const rules = [{ type: 'pull_request', parameters: { required_approving_review_count: 1 } }]
  store.rulesets.add(repositoryIn(store), { name: 'Reviews', rules })
}

function protect(store: Store): void {
  const how = { dismissesStale: false, requiresCodeOwners: false, requiresLastPushApproval: false }
  store.rulesets.protect(repositoryIn(store), { pattern: 'main', reviews: { count: 1, ...how } })
}

function behind(store: Store): void {
  rules('requiresUpToDate')(store)
  commitOnMain(store)
}

function pullInAttic(store: Store): PullRequest {
  const fields = { title: 'Too late', author: userIn(store, 'hubot'), head: 'late' }
  return store.pullRequests.add(repositoryIn(store, attic), fields)
}
const inAttic = { ...attic, prNumber: 2 }
const given = { given: (store: Store) => void pullInAttic(store) }

const noAutoByRest = { rest: "GitHub's REST API cannot have a pull request merged later" }
const noQueueByRest = { rest: "GitHub's REST API cannot add to a merge queue" }

export const cases: ParityCases = {
  'pr.branch.update': [
    { input: open, title: 'one that is behind', given: store => commitOnMain(store) },
    {
      input: open,
      title: 'one that has everything',
      given: store => store.merging.updateBranch(pullIn(store, 4), userIn(store)),
      fails: 'CONFLICT',
    },
    { input: open, title: 'in conflict', given: conflict, fails: 'CONFLICT' },
    { input: seen, title: 'as it was seen', given: store => commitOnMain(store) },
    {
      input: { ...open, expectedHead: UNSEEN },
      title: 'one that has moved',
      given: store => commitOnMain(store),
      fails: 'CONFLICT',
    },
    isAnIssue,
    isNotThere,
    { input: inAttic, ...given, fails: 'FORBIDDEN' },
  ],
  'pr.close': [
    { input: open },
    { input: { ...open, comment: 'Not now; $(reboot) --web' }, title: 'with a comment' },
    { input: { ...open, deleteBranch: true } },
    { input: { ...open, comment: 'Gone.', deleteBranch: true } },
    { input: closed, title: 'one that is closed' },
    { input: { ...merged, comment: 'Late.' }, title: 'merged before', fails: 'CONFLICT' },
    {
      input: { ...closed, deleteBranch: true },
      title: 'whose branch is gone',
      given: store => store.git.deleteRef(repositoryIn(store), 'refs/heads/topic-12'),
    },
    isAnIssue,
    isNotThere,
    isHidden,
    { input: inAttic, ...given, fails: 'FORBIDDEN' },
  ],
  'pr.reopen': [
    { input: closed, answers: { look: data => [data.state, data.reopened], see: ['OPEN', true] } },
    { input: open, title: 'one that is open' },
    { input: merged, title: 'a merged one', fails: 'VALIDATION' },
    isAnIssue,
    isNotThere,
    isHidden,
    { input: inAttic, ...given, fails: 'FORBIDDEN' },
  ],
  'pr.comments.create': [
    { input: { ...open, body: 'A comment\nof two lines' } },
    { input: { ...open, body: '@file' }, title: 'what gh would read as a file' },
    { input: { ...anIssue, body: 'x' }, title: 'an issue', fails: 'NOT_FOUND' },
    { input: { ...hello, prNumber: 9999, body: 'x' }, fails: 'NOT_FOUND' },
    { input: { ...open, body: ' ' }, title: 'a blank one', fails: 'VALIDATION' },
    { input: { ...inAttic, body: 'x' }, ...given, fails: 'FORBIDDEN' },
  ],
  'pr.diff.files': [
    { input: open },
    { input: { ...open, first: 1 } },
    { input: merged, title: 'a merged one' },
    {
      input: open,
      title: 'removed, renamed, binary',
      given: store => {
        const at = { author: userIn(store), message: 'All kinds', branch: 'topic-4' }
        store.git.commit(repositoryIn(store), {
          ...at,
          changes: { 'src/index.ts': null, 'bin/zero': Buffer.from([0, 1, 2]) },
        })
      },
    },
    isAnIssue,
    isNotThere,
    isHidden,
  ],
  'pr.diff.view': [{ input: open }, { input: merged }, isAnIssue, isNotThere, isHidden],
  'pr.merge.status': [
    { input: open },
    { input: draft },
    { input: closed },
    { input: merged },
    { input: open, title: 'in conflict', given: conflict },
    { input: open, title: 'behind', given: behind },
    { input: open, title: 'without a review', given: rules('requiresApproval') },
    {
      input: open,
      title: 'approved',
      given: store => {
        rules('requiresApproval')(store)
        store.reviews.add(pullIn(store, 4), { author: userIn(store), event: 'APPROVE' })
      },
    },
    isAnIssue,
    isNotThere,
  ],
  'pr.merge': [
    { input: open },
    { input: { ...open, method: 'squash', deleteBranch: true } },
    { input: { ...open, method: 'rebase' } },
    {
      input: open,
      title: 'where only squashing is allowed',
      given: store => {
        repositoryIn(store).merging.methods = new Set(['squash'])
      },
    },
    {
      input: { ...open, method: 'merge' },
      title: 'by a method that is not allowed',
      given: store => {
        repositoryIn(store).merging.methods = new Set(['squash'])
      },
      fails: 'VALIDATION',
    },
    { input: { ...open, auto: true }, title: 'auto, but ready', except: noAutoByRest },
    {
      input: { ...open, auto: true, deleteBranch: true },
      title: 'auto',
      given: rules('requiresApproval'),
      except: noAutoByRest,
    },
    { input: open, title: 'queued', given: rules('hasMergeQueue'), except: noQueueByRest },
    { input: { ...open, admin: true }, title: 'past the queue', given: rules('hasMergeQueue') },
    { input: open, title: 'not approved', given: rules('requiresApproval'), fails: 'CONFLICT' },
    { input: open, title: 'not approved, by a ruleset', given: ruleset, fails: 'CONFLICT' },
    { input: open, title: 'not approved, by protection', given: protect, fails: 'CONFLICT' },
    { input: { ...open, admin: true }, given: rules('requiresApproval') },
    { input: open, title: 'behind', given: behind, fails: 'CONFLICT' },
    { input: open, title: 'in conflict', given: conflict, fails: 'CONFLICT' },
    { input: seen, title: 'as it was seen' },
    { input: { ...open, expectedHead: UNSEEN }, title: 'one that has moved', fails: 'CONFLICT' },
    ...['merge', 'squash'].map(method => ({
      input: { ...open, method, subject: 'Ship "it" & 🚂', body: 'At last; $(reboot).' },
      title: `${method} with a message`,
      leaves: { look: lastMessage, see: 'Ship "it" & 🚂\n\nAt last; $(reboot).' },
    })),
    { input: draft, title: 'a draft', fails: 'CONFLICT' },
    { input: merged, title: 'merged before', fails: 'CONFLICT' },
    { input: closed, title: 'closed', fails: 'CONFLICT' },
    isAnIssue,
    isNotThere,
    { input: inAttic, ...given, fails: 'FORBIDDEN' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'pr.diff.files': {
    given: store => {
      const changes: Record<string, string> = {}
      times(230, number => {
        changes[`many/${String(number).padStart(3, '0')}.md`] = `${number}\n`
      })
      const fields = { title: 'Many files', author: userIn(store), head: 'many', changes }
      store.pullRequests.add(repositoryIn(store, spoon), fields)
    },
    input: { ...spoon, prNumber: 2 },
    count: 230,
  },
}
