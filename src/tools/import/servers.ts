import { isObject } from '../../lib/is-object.ts'
import { NotExpressible } from './errors.ts'
import { type Json, listOf, textOf } from './references.ts'

/** The server of a document, or of one operation: its origin, if the document names one, and its path. */
export interface Server {
  /** Null for a relative URL, which leaves the origin to the operator. */
  readonly origin: string | null
  /** Without a slash at the end. */
  readonly path: string
}

/** OpenAPI's default is the address of the document itself. */
const UNKNOWN: Server = { origin: null, path: '' }

/**
 * Chooses the server of the upstream: the document's own, or else the one that most operations name. If operations
 * have other paths on the same host, the upstream gets the part that all of them share.
 */
export function chooseServer(document: Json, own: readonly (readonly unknown[])[]): Server {
  const [first = mostNamed(own)] = serversIn(document.servers)
  const paths = own.flatMap(servers => {
    const here = serversIn(servers).filter(server => isSameHost(server, first))
    const isIncluded = here.some(({ path }) => path === first.path)
    return isIncluded ? [] : (here[0]?.path ?? [])
  })
  return { ...first, path: paths.reduce(commonPath, first.path) }
}

function mostNamed(own: readonly (readonly unknown[])[]): Server {
  const counts = new Map<string, { readonly server: Server; count: number }>()
  for (const [server] of own.map(serversIn)) {
    if (!server) continue
    const entry = counts.get(labelOf(server)) ?? { server, count: 0 }
    entry.count += 1
    counts.set(labelOf(server), entry)
  }
  const [most] = [...counts.values()].toSorted((a, b) => b.count - a.count)
  return most?.server ?? UNKNOWN
}

function commonPath(a: string, b: string): string {
  const others = b.split('/')
  const segments = a.split('/')
  const end = segments.findIndex((segment, index) => segment !== others[index])
  return segments.slice(0, end === -1 ? segments.length : end).join('/')
}

/**
 * Returns the path between the server of the upstream and that of an operation.
 * @param servers those of the operation, or else those of the document.
 * @throws {NotExpressible} if the operation has only other servers.
 */
export function prefixFor(servers: readonly unknown[], base: Server): string {
  const own = serversIn(servers)
  if (servers.length === 0) return ''
  const [found] = own
    .filter(server => isSameHost(server, base) && `${server.path}/`.startsWith(`${base.path}/`))
    .toSorted((a, b) => a.path.length - b.path.length)
  if (found) return found.path.slice(base.path.length)
  const others = own.map(labelOf).join(' or ') || 'a server without a complete address'
  throw new NotExpressible(`is served by ${others}, and the upstream by ${labelOf(base)}`)
}

/** Documents often name http and https for the same host. */
function isSameHost(a: Server, b: Server): boolean {
  return hostOf(a) === hostOf(b)
}

function hostOf({ origin }: Server): string | null {
  return origin && new URL(origin).host
}

function labelOf({ origin, path }: Server): string {
  return `${origin ?? ''}${path}` || '/'
}

/** The servers with the defaults of their variables, as far as that gives a complete address or path. */
function serversIn(servers: unknown): Server[] {
  return listOf(servers).filter(isObject).flatMap(serverOf)
}

function serverOf(server: Json): Server | [] {
  const variables = isObject(server.variables) ? server.variables : {}
  const filled = (textOf(server.url) ?? '').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name]
    return (isObject(variable) ? textOf(variable.default) : null) ?? whole
  })
  const url = /^https?:\/\//.test(filled) ? filled : relative(filled)
  if (url === null || !URL.canParse(url, 'http://relative')) return []
  const { origin, pathname } = new URL(url, 'http://relative')
  if (/[{}]|%7[BD]/i.test(origin + pathname)) return []
  return {
    origin: url.startsWith('/') ? null : origin,
    path: pathname.replace(/\/+$/, ''),
  }
}

/** A relative URL as a path; null for another scheme, or for what is no URL. */
function relative(url: string): string | null {
  return /^[a-z][a-z0-9+.-]*:|^\/\/|^$/i.test(url) ? null : `/${url.replace(/^(\.?\/)+/, '')}`
}
