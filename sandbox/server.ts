import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { control } from './control.ts'
import { github } from './github.ts'
import { RestError } from './rest/errors.ts'
import { storage } from './storage.ts'
import type { World } from './world.ts'

const MAX_BODY = 10 * 1024 * 1024
const MAX_PATH_SEGMENT = 8000

export function buildServer(world: World): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY,
    // A hanging answer or an idle connection must not delay the end of a test.
    forceCloseConnections: true,
    rewriteUrl: request => pathAsOnGitHub(request.url ?? '/'),
    frameworkErrors(error, _request, reply: FastifyReply) {
      const { status, body } = new RestError(error.statusCode ?? 400, error.message)
      reply.code(status).send(body)
    },
    routerOptions: {
      maxParamLength: MAX_PATH_SEGMENT,
      ignoreTrailingSlash: true,
      querystringParser: text => Object.fromEntries(new URLSearchParams(text)),
    },
  })
  app.register(control, { world })
  app.register(storage, { world })
  app.register(github, { world })
  return app
}

/** Serves the same endpoints on a unix socket as well, for `gh`. */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<Server> {
  if (await isDead(path)) await rm(path)
  const server = createServer((request, response) => app.routing(request, response))
  server.listen(path)
  await once(server, 'listening')
  return server
}

/** True if nobody listens on the socket file. A killed process leaves its file behind. */
function isDead(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const probe = connect(path)
    probe.on('connect', () => {
      probe.destroy()
      resolve(false)
    })
    probe.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
  })
}

/**
 * Removes the `/api` prefix of GitHub Enterprise, and the scheme and host that a client behind a
 * proxy sends.
 */
function pathAsOnGitHub(url: string): string {
  return url
    .replace(/^https?:\/\/[^/?#]+/i, '')
    .replace(/^\/api\/v3(?=[/?]|$)/, '')
    .replace(/^\/api(?=\/graphql(?:[/?]|$))/, '')
    .replace(/^(?!\/)/, '/')
}
