/** A child process: `GET /…/<count>` answers a list of so many objects. Sends its port to the parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { repositoryJson } from './repository.ts'

const repository = JSON.parse(repositoryJson()) as Readonly<Record<string, unknown>>
const lists = new Map<number, Buffer>()

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume()
  const body = listOf(Number(request.url?.split('/').at(-1)))
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    .end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())

function listOf(count: number): Buffer {
  const known = lists.get(count)
  if (known) return known
  const items = Array.from({ length: count }, (_, n) => itemOf(n))
  const list = Buffer.from(JSON.stringify(items))
  lists.set(count, list)
  return list
}

/** About 500 bytes. */
function itemOf(n: number) {
  const { description, clone_url, html_url, created_at, license, topics } = repository
  const state = { forks_count: n % 100, stargazers_count: n, private: n % 2 === 0 }
  const names = { name: `thing-${n}`, full_name: `octo-org/thing-${n}`, default_branch: 'main' }
  return {
    id: n,
    description,
    clone_url,
    html_url,
    created_at,
    license,
    topics,
    ...state,
    ...names,
  }
}
