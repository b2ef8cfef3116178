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

/** Chooses the server of the upstream: the document's own, or else the one that most operations name. */
export function chooseServer(document: Json, own: readonly (readonly unknown[])[]): Server {
  const [first] = serversIn(document.servers)
  if (first) return first
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

/**
 * Returns the path between the server of the upstream and that of an operation, which is empty for most.
 * @throws {NotExpressible} if the operation has only other servers.
 */
export function prefixFor(servers: readonly unknown[], base: Server): string {
  const own = serversIn(servers)
  if (servers.length === 0 || own.some(server => labelOf(server) === labelOf(base))) return ''
  const below = own.find(
    ({ origin, path }) => origin === base.origin && path.startsWith(`${base.path}/`),
  )
  if (below) return below.path.slice(base.path.length)
  const others = own.map(labelOf).join(' or ') || 'a server without a complete address'
  throw new NotExpressible(`is served by ${others}, and the upstream by ${labelOf(base)}`)
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
