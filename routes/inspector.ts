import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { joinModules } from './support/joined-modules.ts'
import { isBrowserVisit } from './support/lost-page.ts'
import { acceptsGzip, gzipOf, PageFiles } from './support/page-files.ts'
import { PAGE_HEADERS } from './support/page-headers.ts'
import { openAllRoutes } from './support/request-context.ts'
import { PageBody } from './support/schemas.ts'

const ROOT = fileURLToPath(new URL('../inspector/web/', import.meta.url))
/** The pages, each with the name of its operation. */
const PAGES = {
  '/inspector': 'showInspector',
  '/inspector/requests/:request_id': 'inspectRequest',
  '/inspector/attempts': 'inspectAttempts',
  '/inspector/overview': 'inspectOverview',
  '/inspector/capabilities/:capability_id': 'inspectCapability',
  '/inspector/upstreams/:upstream_id': 'inspectUpstream',
  '/inspector/compare': 'compareRequests',
  '/inspector/audit': 'inspectAudit',
  '/inspector/approvals': 'inspectApprovals',
  '/inspector/approvals/:approval_id': 'inspectApproval',
} as const
const ASSETS = '/inspector/assets/'
/** The stylesheets, in the order in which later rules replace earlier ones. */
const STYLES = [
  'tokens',
  'base',
  'parts',
  'filters',
  'list',
  'request',
  'waterfall',
  'overview',
  'approvals',
]
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

/** The libraries that the page imports, by the path it imports. */
const LIBRARIES = {
  'preact.js': 'preact',
  'hooks.js': 'preact/hooks',
  'htm.js': 'htm',
  'virtual-core/index.js': '@tanstack/virtual-core',
}

/** Serves the web page that shows why a call took its route. The page reads everything from `/v1`. */
export const inspectorRoutes: FastifyPluginAsync = async app => {
  openAllRoutes(app)
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(PAGE_HEADERS)
    next()
  })
  const files = filesOfPage()
  const send = (reply: FastifyReply) => {
    const { type = '', text = '' } = files.get('index.html') ?? {}
    return reply.type(type).send(text)
  }
  for (const [path, operationId] of Object.entries(PAGES)) {
    app.get(path, pageOf(operationId), (request, reply) => {
      // An empty id.
      const other = request.url.split('?')[0]?.endsWith('/') ? otherAddress(request.url) : null
      return other ? reply.redirect(other) : send(reply)
    })
  }
  app.get<{ Params: { '*': string } }>(
    `${ASSETS}*`,
    { schema: { hide: true } },
    async (request, reply) => {
      const file = files.get(request.params['*'])
      if (file === null) return reply.callNotFound()
      reply.headers({ etag: file.etag, vary: 'accept-encoding' })
      if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
      reply.type(file.type)
      if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.text)
      return reply.header('content-encoding', 'gzip').send(await gzipOf(file))
    },
  )
  // People mistype addresses, and follow old links: without a key too, they get a page with a way back, not JSON.
  app.get('/inspector/*', { schema: { hide: true } }, (request, reply) => {
    const other = otherAddress(request.url)
    return other ? reply.redirect(other) : send(reply.code(404))
  })
  // A person who opens the address of the gateway looks for a page. Other clients get the usual 404.
  app.get('/', { schema: { hide: true } }, (request, reply) =>
    isBrowserVisit(request) ? reply.redirect('/inspector') : reply.callNotFound(),
  )
  // Browsers ask for an icon. Without a key they should get 404, not 401.
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) => reply.callNotFound())
}

/** Pages of one thing without its id, and the page on which to find it. */
const WITHOUT_ID: Readonly<Record<string, string>> = {
  '/inspector/requests': '/inspector',
  '/inspector/capabilities': '/inspector/overview',
  '/inspector/upstreams': '/inspector/overview',
}

/** The page that an address means which ends with a slash, or lacks the id at its end. */
function otherAddress(url: string): string | null {
  const [path = ''] = url.split('?')
  let end = path.length
  while (path[end - 1] === '/') end--
  const bare = path.slice(0, end)
  const target = WITHOUT_ID[bare] ?? bare
  return target === path ? null : `${target}${url.slice(path.length)}`
}

/**
 * The address for the server: in place of one with a broken encoding, which Fastify would refuse with JSON, one of no page. The
 * browser keeps its own.
 */
export function readableAddress(url: string): string {
  if (!url.startsWith('/inspector/') || url.startsWith(ASSETS)) return url
  try {
    decodeURIComponent(url.split('?')[0] ?? '')
    return url
  } catch {
    return '/inspector/unreadable'
  }
}

/** The files of the page, and its styles and its modules in one file each. */
function filesOfPage(): PageFiles {
  const libraries = readLibraries()
  const files = new PageFiles(ROOT, libraries)
  const own = [...files.paths].filter(path => path.endsWith('.js') && path !== 'theme.js')
  files.add('inspector.js', {
    parts: [...libraries.keys(), ...own.toSorted()],
    join: texts => joinModules(texts, 'main.js'),
  })
  files.add('styles.css', {
    parts: STYLES.map(name => `styles/${name}.css`),
    join: texts => [...texts.values()].join('\n'),
  })
  return files
}

/** The modules of the libraries, each with the path at which it is served. */
function readLibraries(): Map<string, string> {
  const modules = new Map<string, string>()
  const read = (path: string, url: URL) => {
    if (modules.has(path)) return
    const source = forBrowsers(readFileSync(url, 'utf8'))
    modules.set(path, source)
    for (const [, other = ''] of source.matchAll(/from "(\.\/[\w-]+\.js)"/g)) {
      read(posix.join(posix.dirname(path), other), new URL(other, url))
    }
  }
  for (const [path, library] of Object.entries(LIBRARIES)) {
    read(`vendor/${path}`, new URL(import.meta.resolve(library)))
  }
  return modules
}

/** Rewrites imports by bare name, which browsers resolve only through an import map, and what only bundlers replace. */
function forBrowsers(source: string): string {
  return source
    .replaceAll(/from\s*"preact"/g, 'from"./preact.js"')
    .replaceAll('process.env.NODE_ENV', '"production"')
    .replace(/^\/\/# source.*$/m, '')
}
