import { type CacheControl, readCacheControl } from './cache-control.ts'

/** How far a caller of a read accepts an answer that the gateway has kept. */
export interface MemoryUse {
  /** A younger answer comes without a request; with 0, none does. */
  readonly maxAgeMs: number
  /** If every route fails, an answer comes that is older than `maxAgeMs` by less than this. */
  readonly staleIfErrorMs: number
  /** Sends nothing: what is not in memory fails. */
  readonly onlyKept: boolean
  /** Keeps the answer for later calls. */
  readonly keeps: boolean
  /** The caller said `max-stale` without a number, which no age in milliseconds can say. */
  readonly anyAge: boolean
}

/** The options of a call, as every door has them. */
export interface MemoryOptions {
  readonly max_age_ms?: number | undefined
  readonly stale_if_error_ms?: number | undefined
}

/** The largest number that the options take: eleven days. The gateway keeps no answer for so long. */
export const MOST_MEMORY_MS = 999_999_999

/**
 * Reads whether a call may be answered from memory. An option wins over the directive that means the same.
 * @param cacheControl the header of the request, if the door has one
 * @returns undefined for a call that does not ask for it
 * @throws {GatewayError} VALIDATION for a directive whose value is no number of seconds
 */
export function memoryOf(options: MemoryOptions, cacheControl?: string): MemoryUse | undefined {
  const { max_age_ms: maxAgeMs, stale_if_error_ms: staleIfErrorMs } = options
  const hasOptions = maxAgeMs !== undefined || staleIfErrorMs !== undefined
  if (!hasOptions && cacheControl === undefined) return undefined
  const header = readCacheControl(cacheControl ?? '')
  if (!hasOptions && !asks(header)) return undefined
  return useOf(options, header)
}

function useOf(options: MemoryOptions, header: CacheControl): MemoryUse {
  const { max_age_ms: maxAgeMs, stale_if_error_ms: staleIfErrorMs } = options
  const { onlyIfCached: onlyKept, noStore, noCache } = header
  const use = { onlyKept, keeps: !noStore }
  if (noCache) return { maxAgeMs: 0, staleIfErrorMs: 0, anyAge: false, ...use }
  const ages = agesOf(header)
  return {
    maxAgeMs: maxAgeMs ?? ages.maxAgeMs,
    staleIfErrorMs: staleIfErrorMs ?? ages.staleIfErrorMs,
    anyAge: ages.anyAge && maxAgeMs === undefined,
    ...use,
  }
}

/** `no-store` alone asks for nothing that the gateway does not do anyway. */
function asks(header: CacheControl): boolean {
  const { maxAge, maxStale, minFresh, staleIfError, noCache, onlyIfCached } = header
  const ages = [maxAge, maxStale, minFresh, staleIfError]
  return noCache || onlyIfCached || ages.some(age => age !== null)
}

/** The gateway's answers have no lifetime of their own, so `max-stale` and `min-fresh` shift `max-age`. */
function agesOf(header: CacheControl): Pick<MemoryUse, 'maxAgeMs' | 'staleIfErrorMs' | 'anyAge'> {
  const { maxAge, maxStale, minFresh, staleIfError, onlyIfCached } = header
  // Without an age, only-if-cached takes what there is.
  const usual = onlyIfCached && maxStale === null ? Number.POSITIVE_INFINITY : 0
  const maxAgeMs = toMs(maxAge, usual) + toMs(maxStale) - toMs(minFresh)
  return {
    maxAgeMs: Math.max(0, maxAgeMs),
    staleIfErrorMs: toMs(staleIfError),
    anyAge: maxStale === Number.POSITIVE_INFINITY,
  }
}

function toMs(seconds: number | null, absent = 0): number {
  return seconds === null ? absent : seconds * 1000
}
