import { GatewayError } from './errors.ts'

/** The directives of a request's Cache-Control that the gateway heeds, in seconds (RFC 9111, section 5.2.1; RFC 5861). */
export interface CacheControl {
  readonly maxAge: number | null
  /** Infinity without a value. */
  readonly maxStale: number | null
  readonly minFresh: number | null
  readonly staleIfError: number | null
  readonly noCache: boolean
  readonly noStore: boolean
  readonly onlyIfCached: boolean
}

/** A larger number counts as this one (RFC 9111, section 1.2.2). */
const MOST_SECONDS = 2 ** 31
/** A directive, whose value can be quoted. Linear: no part can match what the next one does. */
const DIRECTIVE = /^([a-z-]+)(?:=(?:"([^"]*)"|([^"]*)))?$/i
const LONGEST = 1000

/** @throws {GatewayError} VALIDATION for a heeded directive whose value is no number of seconds */
export function readCacheControl(text: string): CacheControl {
  const found = new Map<string, string | null>()
  for (const part of text.slice(0, LONGEST).split(',')) {
    const [, name, quoted, plain] = DIRECTIVE.exec(part.trim()) ?? []
    // The first of two counts.
    if (name !== undefined && !found.has(name.toLowerCase()))
      found.set(name.toLowerCase(), quoted ?? plain ?? null)
  }
  const seconds = (name: string) => (found.has(name) ? readSeconds(name, found.get(name)) : null)
  return {
    maxAge: seconds('max-age'),
    maxStale: found.get('max-stale') === null ? Number.POSITIVE_INFINITY : seconds('max-stale'),
    minFresh: seconds('min-fresh'),
    staleIfError: seconds('stale-if-error'),
    noCache: found.has('no-cache'),
    noStore: found.has('no-store'),
    onlyIfCached: found.has('only-if-cached'),
  }
}

function readSeconds(name: string, value: string | null | undefined): number {
  if (value != null && /^\d+$/.test(value)) return Math.min(Number(value), MOST_SECONDS)
  throw new GatewayError(
    'VALIDATION',
    `Cache-Control: ${name} needs a number of seconds, for example ${name}=60.`,
    {
      source: 'caller',
      details: {
        fields: [{ path: 'cache-control', message: `${name} needs a number of seconds` }],
      },
    },
  )
}
