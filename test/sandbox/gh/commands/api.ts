import type { GhCommand } from '../command.ts'
import { item } from '../command.ts'

const NAMES = '{{range .}}{{.name}},{{end}}'
const TITLE = `query($number: Int!) {
  repository(owner: "octo-org", name: "hello-world") { pullRequest(number: $number) { title } }
}`

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
]
