/** A child process: the upstream if nginx is not installed. Sends its port to the parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { githubHeaders, repositoryJson } from './repository.ts'

const body = Buffer.from(repositoryJson())
const headers = { ...githubHeaders(), 'content-length': body.length }

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  request.resume()
  response.writeHead(200, headers).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
