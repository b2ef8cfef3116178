/** A child process: the upstream if nginx is not installed. Sends its port to the parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { upstreamAnswers } from './answers.ts'

const answers = upstreamAnswers().map(({ path, status, headers, body }) => {
  const bytes = Buffer.from(body)
  return { path, status, headers: { ...headers, 'content-length': bytes.length }, bytes }
})

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume()
  const answer = answers.find(({ path }) => request.url?.startsWith(path))
  response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.bytes)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
