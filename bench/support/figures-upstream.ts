/** A child process: the upstream of `bench/figures`. Sends its port to the parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

/** The members of an issue that GitHub sends with each, in part. */
const issueAt = (number: number) => ({
  id: 100_000 + number,
  node_id: `I_kwDOABCD1M5${number}`,
  number,
  title: `The answer to question ${number} is wrong`,
  state: number % 3 === 0 ? 'closed' : 'open',
  html_url: `https://github.com/octo-org/hello-world/issues/${number}`,
  user: { login: `user-${number % 97}`, id: number % 97, type: 'User', site_admin: false },
  labels: [
    { id: 1, name: 'bug', color: 'd73a4a', default: true },
    { id: 2, name: 'question', color: 'd876e3', default: true },
  ],
  locked: false,
  assignee: null,
  milestone: null,
  comments: number % 12,
  created_at: '2026-01-26T19:01:12Z',
  updated_at: '2026-03-02T10:11:12Z',
  closed_at: null,
  author_association: 'NONE',
})

const ITEMS = Buffer.from(JSON.stringify(Array.from({ length: 10_000 }, (_, at) => issueAt(at))))
const ONE = Buffer.from(JSON.stringify({ name: 'signalbox' }))

interface Query {
  readonly variables: Readonly<Record<string, number>>
}

/** Answers a query, and one that is merged of several: the gateway prefixes variables and members of each. */
async function answerQuery({ variables }: Query): Promise<object> {
  const names = Object.keys(variables).filter(name => name.endsWith('number'))
  const data = names.map(name => {
    const number = variables[name] ?? 0
    const issue = { number, title: `Question ${number}`, author: { login: 'octocat' } }
    return [name.replace('number', 'issue'), issue] as const
  })
  await delay(variables.ms ?? variables.c0_ms ?? 0)
  return { data: Object.fromEntries(data) }
}

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const send = (bytes: Buffer) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length })
      .end(bytes)
  if (request.url?.startsWith('/graphql')) {
    void json(request)
      .then(body => answerQuery(body as Query))
      .then(answer => send(Buffer.from(JSON.stringify(answer))))
    return
  }
  request.resume()
  send(request.url?.startsWith('/items') ? ITEMS : ONE)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
