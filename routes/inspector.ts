import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { openAllRoutes } from './support/request-context.ts'
import { PageBody } from './support/schemas.ts'

const ROOT = fileURLToPath(new URL('../inspector/web/', import.meta.url))
const PAGES = {
  '/inspector': 'showInspector',
  '/inspector/requests/:request_id': 'inspectRequest',
  '/inspector/routes': 'inspectRoutes',
  '/inspector/audit': 'inspectAudit',
  '/inspector/approvals': 'inspectApprovals',
  '/inspector/approvals/:approval_id': 'inspectApproval',
}
const ASSETS = '/inspector/assets/'
const pageOf = (operationId: string) => ({
  schema: {
    operationId,
    tags: ['inspector'],
    summary: 'See requests and their attempts in a web page',
    description:
      'Shows which route each call took, and why. The page asks for a key if one is needed.',
    response: { 200: PageBody('The page.') },
  },
})

/** The page loads nothing from other origins, and runs only files of its own. */
const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  // Revalidating small files is cheap, and a page never mixes files of two versions.
  'cache-control': 'no-cache',
}

/** The libraries that the page imports, by the file name it imports. */
const LIBRARIES = { 'preact.js': 'preact', 'hooks.js': 'preact/hooks', 'htm.js': 'htm' }

/** Serves the web page that shows why a call took its route. The page reads everything from `/v1`. */
export const inspectorRoutes: FastifyPluginAsync = async app => {
  openAllRoutes(app)
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(HEADERS)
    next()
  })
  await app.register(fastifyStatic, {
    root: ROOT,
    prefix: ASSETS,
    index: false,
    cacheControl: false,
    schemaHide: true,
    allowedPath: path => !path.endsWith('.ts'),
  })
  for (const [path, operationId] of Object.entries(PAGES)) {
    app.get(path, pageOf(operationId), (_request, reply) => reply.sendFile('index.html'))
  }
  for (const [file, library] of Object.entries(LIBRARIES)) {
    const source = readLibrary(library)
    app.get(`${ASSETS}vendor/${file}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/javascript').send(source),
    )
  }
  // Browsers ask for an icon, and people mistype pages. Without a key both should get 404, not 401.
  for (const path of ['/inspector/*', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.callNotFound())
  }
}

/** Rewrites imports by bare name: browsers resolve those only through an import map. */
function readLibrary(name: string): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')
  return source.replaceAll(/from\s*"preact"/g, 'from"./preact.js"').replace(/^\/\/# source.*$/m, '')
}
