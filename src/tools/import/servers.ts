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

/** The servers that an import knows: that of the upstream, and others by the names that cards use. */
export interface Servers {
  readonly base: Server
  readonly others: ReadonlyMap<string, Server>
}

/** Where the path of an operation belongs: below the server of the upstream, or below another. */
export interface Place {
  readonly prefix: string
  /** The name of the other server. */
  readonly server: string | null
}

/**
 * Chooses the server of the upstream: the document's own, or else the one that most operations name. If operations
 * have other paths on the same host, the upstream gets the part that all of them share.
 */
function chooseServer(document: Json, own: readonly (readonly unknown[])[]): Server {
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
 * Chooses the servers of the upstream.
 * @param own those of each operation, which may name none.
 */
export function chooseServers(document: Json, own: readonly (readonly unknown[])[]): Servers {
  const base = chooseServer(document, own)
  const others = new Map<string, Server>()
  for (const servers of own) {
    const known = serversIn(servers)
    const [first] = known
    if (!first?.origin || known.some(server => isBelow(server, base))) continue
    if ([...others.values()].some(other => labelOf(other) === labelOf(first))) continue
    others.set(freeName(nameOf(first.origin), others), first)
  }
  return { base, others }
}

/** `uploads` for `https://uploads.example.com`. */
function nameOf(origin: string): string {
  const [label = ''] = new URL(origin).hostname.split('.')
  const words = label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')
  return /^[a-z]/.test(words) ? words : `server_${words}`
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
  return free
}

/**
 * Returns the place of an operation.
 * @param own the servers of the operation, which may be none.
 * @throws {NotExpressible} if none of its servers has an address.
 */
export function placeOnServer(document: Json, own: readonly unknown[], servers: Servers): Place {
  const { base, others } = servers
  const named = own.length > 0 ? own : listOf(document.servers)
  const known = serversIn(named)
  // Without an address in the document, the operator gives one.
  if (named.length === 0 || (known.length === 0 && own.length === 0 && base.origin === null)) {
    return { prefix: '', server: null }
  }
  const [found] = known
    .filter(server => isBelow(server, base))
    .toSorted((a, b) => a.path.length - b.path.length)
  if (found) return { prefix: found.path.slice(base.path.length), server: null }
  const labels = known.map(labelOf)
  const [other] = [...others].find(([, server]) => labels.includes(labelOf(server))) ?? []
  if (other !== undefined) return { prefix: '', server: other }
  const places = labels.join(' or ') || 'a server without a complete address'
  throw new NotExpressible(`is served by ${places}, and the upstream by ${labelOf(base)}`)
}

function isBelow(server: Server, base: Server): boolean {
  return isSameHost(server, base) && `${server.path}/`.startsWith(`${base.path}/`)
}

/** The first server of a document that has no complete address, such as `https://{region}.example.com`. */
export function incompleteServer({ servers }: Json): string | null {
  const [first] = listOf(servers).filter(isObject)
  return first && serversIn(servers).length === 0 ? textOf(first.url) : null
}

export function addressOfServer({ origin, path }: Server): string {
  return `${origin ?? ''}${path}`
}

/** Documents often name http and https for the same host. */
function isSameHost(a: Server, b: Server): boolean {
  return hostOf(a) === hostOf(b)
}

function hostOf({ origin }: Server): string | null {
  return origin && new URL(origin).host
}

function labelOf(server: Server): string {
  return addressOfServer(server) || '/'
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
  const whole = filled.startsWith('//') ? `https:${filled}` : filled
  const url = /^https?:\/\//.test(whole) ? whole : relative(whole)
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
