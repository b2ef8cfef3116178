import type { Store } from '../../../../sandbox/index.ts'
import { hello, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'
import { item } from '../command.ts'

const NAMES = '{{range .}}{{.name}},{{end}}'
const TITLE = `query($number: Int!) {
  repository(owner: "octo-org", name: "hello-world") { pullRequest(number: $number) { title } }
}`

const VALUES = `{
  organization(login: "octo-org") {
    projectsV2(first: 1, orderBy: { field: TITLE, direction: DESC }) {
      nodes { items(first: 1) { nodes { fieldValues(first: 9) { nodes {
        ... on ProjectV2ItemFieldTextValue { text }
        ... on ProjectV2ItemFieldUserValue { users(first: 9) { nodes { login } } }
      } } } } }
    }
  }
}`
const RESOURCE = `{
  resource(url: "https://github.com/octo-org/hello-world/pull/4") { ... on PullRequest { number } }
  viewer { organizations(first: 9) { nodes { login } } }
}`

const variables = (store: Store) => store.variables.of(repositoryIn(store, hello))

function level(store: Store): void {
  store.variables.add(repositoryIn(store, hello), 'LEVEL', 'high')
}

export const commands: readonly GhCommand[] = [
  { run: 'api repos/{owner}/{repo} --jq=.full_name', prints: 'octo-org/hello-world\n' },
  {
    run: [
      'api',
      'graphql',
      '--field=number=4',
      `--raw-field=query=${TITLE}`,
      '--jq=.data.repository',
    ],
    json: { pullRequest: { title: 'Change number 4' } },
  },
  {
    run: ['api', 'repos/{owner}/{repo}/labels', `--template=${NAMES}`],
    prints: 'bug,documentation,enhancement,good first issue,question,',
  },
  { run: 'api --include --silent user', prints: 'X-Oauth-Scopes: repo, read:org, gist' },
  {
    run: 'api --method=PATCH repos/{owner}/{repo}/issues/1 --raw-field=title=New --field=milestone=null',
    leaves: [item(1), { title: 'New', milestone: null }],
  },
  {
    run: 'api --method=POST repos/{owner}/{repo}/issues --input=-',
    stdin: '{"title":"Piped","labels":["bug"]}',
    leaves: [item(41), { title: 'Piped', labels: [{ name: 'bug' }] }],
  },
  {
    run: 'api --paginate repos/{owner}/{repo}/releases?per_page=4 --jq=.[].tag_name',
    prints: 'v0.2.0\nv0.1.0\n',
  },
  { run: 'api --preview=nebula user --jq=.login', prints: 'octocat\n' },
  { run: 'api --cache=1h user --jq=.login', prints: 'octocat\n' },
  { run: 'api rate_limit --jq=.resources.core.limit', prints: '5000\n' },
  {
    run: 'api user --header=Accept:application/vnd.github+json --hostname=github.com --jq=.type',
    prints: 'User\n',
  },
  {
    run: 'api --method=POST repos/{owner}/{repo}/actions/variables --raw-field=name=level --raw-field=value=low',
    leaves: [variables, [{ name: 'LEVEL', value: 'low' }]],
  },
  {
    run: 'api --method=POST repos/{owner}/{repo}/actions/variables --raw-field=name=LEVEL --raw-field=value=low',
    given: level,
    prints: '(HTTP 409)',
    code: 1,
  },
  {
    run: 'api --method=PATCH repos/{owner}/{repo}/actions/variables/LEVEL --raw-field=value=low',
    given: level,
    leaves: [variables, [{ name: 'LEVEL', value: 'low' }]],
  },
  {
    run: 'api --method=DELETE repos/{owner}/{repo}/actions/variables/LEVEL',
    given: level,
    leaves: [variables, []],
  },
  {
    run: [
      'api',
      'search/code?q=greet+repo:octo-org/hello-world',
      '--header=Accept: application/vnd.github.text-match+json',
      '--jq=[.items[0].path, .items[0].text_matches[0].matches[0].text]',
    ],
    json: ['src/greet.ts', 'greet'],
  },
  {
    run: [
      'api',
      'graphql',
      `--raw-field=query=${VALUES}`,
      '--jq=.data.organization.projectsV2.nodes[0].items.nodes[0].fieldValues.nodes',
    ],
    json: [
      { text: 'Issue number 1' },
      { users: { nodes: [{ login: 'octocat' }, { login: 'hubot' }] } },
    ],
  },
  {
    run: ['api', 'graphql', `--raw-field=query=${RESOURCE}`, '--jq=.data'],
    json: {
      resource: { number: 4 },
      viewer: { organizations: { nodes: [{ login: 'octo-org' }] } },
    },
  },
]
