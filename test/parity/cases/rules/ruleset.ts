import type { Store } from '../../../../sandbox/index.ts'
import type { Data, Input, ManyItemsByCapability, ParityCases } from '../../case.ts'
import { addForeign, foreign, hello, repositoryIn, spoon, times } from '../../worlds.ts'

const nothing = { owner: 'octo-org', name: 'nothing-here' }
const hidden = { owner: 'mallory', name: 'hidden' }
const each = (member: string) => (data: Data) =>
  data.items.map((item: Record<string, unknown>) => item[member])

const pullRequest = {
  type: 'pull_request',
  parameters: {
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: false,
  },
}

/** One for main, one for release branches that is only tried out, one for tags. */
function addRulesets(store: Store): void {
  const repository = repositoryIn(store)
  store.rulesets.add(repository, {
    name: 'main 🚂',
    rules: [{ type: 'deletion' }, pullRequest],
    adminsMayBypass: true,
  })
  store.rulesets.add(repository, {
    name: 'Releases',
    enforcement: 'evaluate',
    include: ['refs/heads/release/*'],
    exclude: ['refs/heads/release/next'],
    rules: [{ type: 'non_fast_forward' }],
  })
  const rules = [{ type: 'tag_name_pattern', parameters: { operator: 'regex', pattern: '^v\\d' } }]
  store.rulesets.add(repository, { name: 'Tags', target: 'tag', include: ['~ALL'], rules })
}

const ruleset =
  (index: number) =>
  (store: Store): Input => ({
    ...hello,
    rulesetId: repositoryIn(store).merging.rulesets[index]?.databaseId,
  })

/** Rules for all of release but one. */
function addPatterns(store: Store): void {
  const rules = [{ type: 'required_signatures' }, { type: 'deletion' }]
  const include = ['refs/heads/release/**']
  const exclude = ['refs/heads/release/next']
  store.rulesets.add(repositoryIn(store), { name: 'Release', include, exclude, rules })
  store.rulesets.add(repositoryIn(store), {
    name: 'Off',
    enforcement: 'disabled',
    include: ['~ALL'],
    rules,
  })
}

export const cases: ParityCases = {
  'repo.rulesets.list': [
    {
      input: hello,
      title: 'three',
      given: addRulesets,
      answers: { look: each('name'), see: ['main 🚂', 'Releases', 'Tags'] },
    },
    {
      input: { ...hello, targets: ['TAG', 'PUSH'], includeParents: false },
      given: addRulesets,
      answers: { look: each('target'), see: ['TAG'] },
    },
    { input: { ...hello, first: 1 }, given: addRulesets },
    { input: spoon, title: 'none' },
    { input: foreign, given: addForeign, title: 'of others' },
    { input: hidden, fails: 'NOT_FOUND' },
    { input: { ...hello, targets: ['REPOSITORY'] }, fails: 'VALIDATION' },
  ],
  'repo.ruleset.view': [
    {
      input: ruleset(0),
      title: 'with parameters',
      given: addRulesets,
      answers: {
        look: data => [data.rules, data.viewerBypass, data.bypassActors?.length],
        see: [
          [
            { type: 'DELETION', parameters: null },
            { type: 'PULL_REQUEST', parameters: pullRequest.parameters },
          ],
          'ALWAYS',
          1,
        ],
      },
    },
    {
      input: ruleset(1),
      title: 'with patterns',
      given: addRulesets,
      answers: {
        look: data => [data.enforcement, data.include, data.exclude],
        see: ['EVALUATE', ['refs/heads/release/*'], ['refs/heads/release/next']],
      },
    },
    {
      title: 'of others',
      given: store => {
        addForeign(store)
        store.rulesets.add(repositoryIn(store, foreign), { name: 'Theirs', rules: [] })
      },
      input: store => ({
        ...foreign,
        rulesetId: repositoryIn(store, foreign).merging.rulesets[0]?.databaseId,
      }),
      answers: { look: ({ bypassActors }) => bypassActors, see: null },
    },
    { input: { ...hello, rulesetId: 404 }, fails: 'NOT_FOUND' },
  ],
  'repo.branch.rules.list': [
    {
      input: { ...hello, branch: 'main' },
      given: addRulesets,
      answers: { look: each('type'), see: ['DELETION', 'PULL_REQUEST'] },
    },
    {
      input: { ...hello, branch: 'release/1/x' },
      title: 'a branch that does not exist',
      given: addPatterns,
      answers: { look: each('type'), see: ['REQUIRED_SIGNATURES', 'DELETION'] },
    },
    {
      input: { ...hello, branch: 'release/next' },
      title: 'an excluded one',
      given: addPatterns,
      answers: { look: each('type'), see: [] },
    },
    { input: { ...hello, branch: 'main' }, title: 'none' },
    { input: { ...nothing, branch: 'main' }, fails: 'NOT_FOUND' },
    { input: { ...hello, branch: '../main' }, fails: 'VALIDATION' },
  ],
}

export const manyItems: ManyItemsByCapability = {
  'repo.rulesets.list': {
    given: store =>
      times(231, number => {
        store.rulesets.add(repositoryIn(store), { name: `r-${number}`, rules: [] })
      }),
    input: hello,
    count: 231,
  },
  'repo.branch.rules.list': {
    given: store =>
      times(231, number => {
        const rules = [{ type: 'max_file_size', parameters: { max_file_size: number } }]
        store.rulesets.add(repositoryIn(store), { name: `r-${number}`, rules })
      }),
    input: { ...hello, branch: 'main' },
    count: 231,
  },
}
