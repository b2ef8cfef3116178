import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'

const ROOT = fileURLToPath(new URL('../inspector/web/', import.meta.url))
const PAGES = ['/inspector', '/inspector/requests/:request_id', '/inspector/routes']
const ASSETS = '/inspector/assets/'

/** The page loads nothing from elsewhere and runs nothing that is not a file of its own. */
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
  // Small files with an ETag: asking each time is cheap, and an upgrade is never half seen.
  'cache-control': 'no-cache',
}

/** Libraries that the page imports, by the name it imports them under. */
const LIBRARIES = { 'preact.js': 'preact', 'hooks.js': 'preact/hooks', 'htm.js': 'htm' }

/** The web page that shows why a call went where it went; all it knows comes from `/v1`. */
export const inspectorRoutes: FastifyPluginAsync = async app => {
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
  for (const path of PAGES) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => reply.sendFile('index.html'))
  }
  for (const [file, library] of Object.entries(LIBRARIES)) {
    const source = readLibrary(library)
    app.get(`${ASSETS}vendor/${file}`, { schema: { hide: true } }, (_request, reply) =>
      reply.type('text/javascript').send(source),
    )
  }
}

/** As installed, but for imports by bare name: without an import map, browsers do not know those. */
function readLibrary(name: string): string {
  const source = readFileSync(fileURLToPath(import.meta.resolve(name)), 'utf8')
  return source.replaceAll(/from\s*"preact"/g, 'from"./preact.js"').replace(/^\/\/# source.*$/m, '')
}
