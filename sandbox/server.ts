import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { control } from './control.ts'
import { github } from './github.ts'
import type { World } from './world.ts'

const MAX_BODY = 10 * 1024 * 1024
const MAX_PATH_SEGMENT = 1000

export function buildServer(world: World): FastifyInstance {
  const app = Fastify({
    bodyLimit: MAX_BODY,
    // A hanging answer, or a client's idle connection, must not hold up a test that is over.
    forceCloseConnections: true,
    rewriteUrl: request => pathAsOnGitHub(request.url ?? '/'),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    routerOptions: {
      maxParamLength: MAX_PATH_SEGMENT,
      ignoreTrailingSlash: true,
      querystringParser: text => Object.fromEntries(new URLSearchParams(text)),
    },
  })
  app.register(control, { world })
  app.register(github, { world })
  return app
}

/** Gives a second door to the same routes: `gh` comes in through a unix socket. */
export async function listenOnSocket(app: FastifyInstance, path: string): Promise<Server> {
  const server = createServer((request, response) => app.routing(request, response))
  server.listen(path)
  await once(server, 'listening')
  return server
}

/**
 * GitHub Enterprise puts its APIs under `/api`, and a client behind a proxy sends the absolute URL:
 * both mean the same paths here.
 */
function pathAsOnGitHub(url: string): string {
  return url
    .replace(/^https?:\/\/[^/?#]+/i, '')
    .replace(/^\/api\/v3(?=[/?]|$)/, '')
    .replace(/^\/api(?=\/graphql(?:[/?]|$))/, '')
    .replace(/^(?!\/)/, '/')
}
