import { type Verdict, verdict } from '../verdict.ts'
import { type Meaning, RANK } from './meaning.ts'

/** Nothing was sent, and every route to the same host would fail too. */
const unreachable = verdict('NETWORK', {
  fallback: false,
  writeOutcome: 'not_applied',
  sharedFate: 'host',
})
const broken = verdict('NETWORK')
/** This machine lacks something that the program needs; another route may not need it. */
const misfit = verdict('ADAPTER_UNSUPPORTED', { writeOutcome: 'unknown' })
/** This machine is out of a resource, but only for a while. */
const exhausted = verdict('UNKNOWN', { retryable: true })

type Numbers = readonly [linux: number | null, darwin: number | null]

/**
 * POSIX errors: https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/errno.h.html, with the numbers of Linux
 * (include/uapi/asm-generic/errno.h) and of macOS (sys/errno.h).
 */
const ERRNO: Readonly<Record<string, readonly [Verdict, ...Numbers]>> = {
  ECONNREFUSED: [unreachable, 111, 61],
  EHOSTUNREACH: [unreachable, 113, 65],
  EHOSTDOWN: [unreachable, 112, 64],
  ENETUNREACH: [unreachable, 101, 51],
  ENETDOWN: [unreachable, 100, 50],
  EADDRNOTAVAIL: [unreachable, 99, 49],
  EAFNOSUPPORT: [unreachable, 97, 47],
  ECONNRESET: [broken, 104, 54],
  ECONNABORTED: [broken, 103, 53],
  ENETRESET: [broken, 102, 52],
  ENOTCONN: [broken, 107, 57],
  ESHUTDOWN: [broken, 108, 58],
  EPIPE: [broken, 32, 32],
  ETIMEDOUT: [verdict('TIMEOUT'), 110, 60],
  EPERM: [misfit, 1, 1],
  ENOENT: [misfit, 2, 2],
  ENOEXEC: [misfit, 8, 8],
  EACCES: [misfit, 13, 13],
  EXDEV: [misfit, 18, 18],
  ENODEV: [misfit, 19, 19],
  ENOTDIR: [misfit, 20, 20],
  EISDIR: [misfit, 21, 21],
  EINVAL: [misfit, 22, 22],
  ENOTTY: [misfit, 25, 25],
  EROFS: [misfit, 30, 30],
  ENAMETOOLONG: [misfit, 36, 63],
  ENOSYS: [misfit, 38, 78],
  ELOOP: [misfit, 40, 62],
  ENOTSUP: [misfit, 95, 45],
  EPROTONOSUPPORT: [misfit, 93, 43],
  EAGAIN: [exhausted, 11, 35],
  EWOULDBLOCK: [exhausted, 11, 35],
  EINTR: [exhausted, 4, 4],
  EIO: [exhausted, 5, 5],
  ENOMEM: [exhausted, 12, 12],
  EBUSY: [exhausted, 16, 16],
  ENFILE: [exhausted, 23, 23],
  EMFILE: [exhausted, 24, 24],
  ETXTBSY: [exhausted, 26, 26],
  ENOSPC: [exhausted, 28, 28],
  ENOBUFS: [exhausted, 105, 55],
  EDQUOT: [exhausted, 122, 69],
  E2BIG: [verdict('TOO_LARGE'), 7, 7],
  EFBIG: [verdict('TOO_LARGE'), 27, 27],
  EMSGSIZE: [verdict('TOO_LARGE'), 90, 40],
}

/** Errors of getaddrinfo and c-ares: https://pubs.opengroup.org/onlinepubs/9799919799/functions/freeaddrinfo.html. Python prints the Linux numbers. */
const DNS: Readonly<Record<string, number | null>> = {
  EAI_NONAME: -2,
  EAI_AGAIN: -3,
  EAI_FAIL: -4,
  EAI_NODATA: -5,
  ENOTFOUND: null,
  ENODATA: null,
  ESERVFAIL: null,
  EREFUSED: null,
  EBADNAME: null,
  EBADRESP: null,
  EFORMERR: null,
  ENOTIMP: null,
  ENONAME: null,
}

/** Winsock: https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2; its names are POSIX's behind WSA. */
const WINSOCK: Readonly<Record<number, string>> = {
  10013: 'EACCES',
  10024: 'EMFILE',
  10035: 'EWOULDBLOCK',
  10040: 'EMSGSIZE',
  10047: 'EAFNOSUPPORT',
  10049: 'EADDRNOTAVAIL',
  10050: 'ENETDOWN',
  10051: 'ENETUNREACH',
  10052: 'ENETRESET',
  10053: 'ECONNABORTED',
  10054: 'ECONNRESET',
  10055: 'ENOBUFS',
  10057: 'ENOTCONN',
  10058: 'ESHUTDOWN',
  10060: 'ETIMEDOUT',
  10061: 'ECONNREFUSED',
  10064: 'EHOSTDOWN',
  10065: 'EHOSTUNREACH',
  11001: 'ENOTFOUND',
  11002: 'EAI_AGAIN',
}

/** Names of errors of the resolver. */
export const DNS_ERRORS: ReadonlySet<string> = new Set(Object.keys(DNS))
/** Names of errors after which nothing was sent: no connection came about. */
export const UNREACHABLE = namesOf(unreachable)
/** Names of errors that end a connection. */
export const BROKEN = namesOf(broken)

function namesOf(meaning: Verdict): string[] {
  return Object.keys(ERRNO).filter(name => ERRNO[name]?.[0] === meaning)
}

/** The meaning of an error's name: `ECONNRESET`, `WSAECONNRESET`, `EAI_AGAIN`; null if it is none, or says little. */
export function meaningOfErrno(name: string): Meaning | null {
  const posix = name.replace(/^WSA(?=E)/, '')
  if (Object.hasOwn(DNS, posix)) return { verdict: unreachable, rank: RANK.exact }
  const known = Object.hasOwn(ERRNO, posix) ? ERRNO[posix] : undefined
  return known ? { verdict: known[0], rank: RANK.exact } : null
}

/**
 * The name of an error's number. The same number differs between systems, so one that this system does not have in
 * the table is looked up in the other's: macOS's 61 is a refused connection, and rare on Linux.
 */
export function errnoOfNumber(number: number, platform: string = process.platform): string | null {
  const columns = platform === 'darwin' ? [2, 1] : [1, 2]
  for (const column of columns) {
    const entry = Object.entries(ERRNO).find(([, row]) => row[column] === number)
    if (entry) return entry[0]
  }
  const dns = Object.entries(DNS).find(([, value]) => value === number)
  return dns?.[0] ?? WINSOCK[number] ?? null
}

/** Numbers as runtimes print them: Python's `[Errno 104]` and `[WinError 10054]`, Rust's `(os error 111)` and `Os { code: 111`, `errno=13`. */
const NUMBERED =
  /\[(?:Errno|WinError) (-?\d{1,5})\]|(?:\(os error |\bOs \{ code: )(\d{1,5})\b|\berrno[ :=]{1,3}(-?\d{1,5})\b/gi
/** Names as C, Go, Node and Python print them. Longer words such as EVERYTHING are not in the table. */
const NAMED = /(?<![\w-])(?:WSA)?E(?:AI_)?[A-Z0-9]{2,14}(?![\w-])/g

/** The names of the system errors that a text shows, in its order. */
export function errnosIn(text: string, platform?: string): string[] {
  const found: (readonly [number, string])[] = []
  for (const { index, 1: python, 2: rust, 3: other } of text.matchAll(NUMBERED)) {
    const name = errnoOfNumber(Number(python ?? rust ?? other), platform)
    if (name !== null) found.push([index, name])
  }
  for (const { index, 0: name } of text.matchAll(NAMED)) {
    if (meaningOfErrno(name)) found.push([index, name])
  }
  return found.toSorted(([a], [b]) => a - b).map(([, name]) => name)
}
