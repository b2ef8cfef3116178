import type { ParityCases } from '../../case.ts'

const query = `query ($owner: String!, $first: Int = 2) {
  repository(owner: $owner, name: "hello-world") { ...Names issues(first: $first) { totalCount } }
}
fragment Names on Repository { name }`

export const cases: ParityCases = {
  'graphql.query': [
    { input: { query: '{ viewer { login } }' } },
    { input: { query, variables: { owner: 'octo-org' } }, title: 'variables and a fragment' },
    { input: { query, variables: { owner: 'octo-org', first: null } }, title: 'a null' },
    {
      input: { query, variables: { owner: 'nobody-at-all' } },
      title: 'nothing',
      fails: 'NOT_FOUND',
    },
    { input: { query: '{ viewer { nothing } }' }, fails: 'VALIDATION' },
    { input: { query: 'mutation { x }' }, fails: 'VALIDATION' },
    { input: { query: 'subscription { x }' }, fails: 'VALIDATION' },
    {
      input: { query: 'query A { viewer { id } } query B { viewer { id } }' },
      fails: 'VALIDATION',
    },
    { input: { query: '{ viewer { login }' }, fails: 'VALIDATION' },
  ],
}
