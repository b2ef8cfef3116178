/** A child process: a bare `@fastify/http-proxy` for the upstream in its argument. Sends its port to the parent. */
import httpProxy from '@fastify/http-proxy'
import Fastify from 'fastify'

const app = Fastify()
await app.register(httpProxy, { upstream: String(process.argv[2]) })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.(Number(new URL(address).port))
process.once('disconnect', () => process.exit())
