import type { ErrorFacts } from '../../failures/read/error-chain.ts'
import { BROKEN, UNREACHABLE } from '../../failures/vocabulary/errno.ts'
import type { Phase } from '../wire/answer.ts'

/** The place and the manner in which an exchange broke. */
export interface BreakFacts {
  readonly phase: Phase
  readonly error: unknown
  /** Null if the exchange broke before the status line arrived. */
  readonly status: number | null
}

const UNSENT_PHASES: readonly Phase[] = ['build', 'connect', 'tls']

export const TRUST_STORE = codes(`SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_GET_ISSUER_CERT
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_UNTRUSTED`)

export const CONNECT = codes(`${UNREACHABLE.join(' ')} ENONET EADDRINUSE ENOENT EPROTONOSUPPORT
  UND_ERR_SOCKS5 UND_ERR_SOCKS5_CONNECTION_FAILED`)

export const RESOURCES = codes('EMFILE ENFILE ENOBUFS ENOMEM EAGAIN')

export const TIMEOUTS =
  codes(`ETIMEDOUT ESOCKETTIMEDOUT ETIMEOUT UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT
  UND_ERR_CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT ERR_TLS_HANDSHAKE_TIMEOUT ERR_HTTP_REQUEST_TIMEOUT
  ERR_SOCKET_TIMEOUT`)

export const CONNECT_TIMEOUTS = codes(
  'UND_ERR_CONNECT_TIMEOUT ERR_SOCKET_CONNECTION_TIMEOUT ERR_TLS_HANDSHAKE_TIMEOUT',
)

const RESETS = codes(`${BROKEN.join(' ')} UND_ERR_SOCKET UND_ERR_INFO
  UND_ERR_CLOSED UND_ERR_DESTROYED UND_ERR_RES_CONTENT_LENGTH_MISMATCH ERR_STREAM_PREMATURE_CLOSE
  ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END ERR_SOCKET_CLOSED ERR_SOCKET_CLOSED_BEFORE_CONNECTION`)

export const SIZE = codes(
  'ANSWER_TOO_LARGE UND_ERR_RES_EXCEEDED_MAX_SIZE ERR_BUFFER_TOO_LARGE ERR_STRING_TOO_LONG',
)

export const HEADERS_OVERFLOW = codes('UND_ERR_HEADERS_OVERFLOW HPE_HEADER_OVERFLOW')

/** Messages about header values that the runtime rejects. Never quote them: the value may be a secret. */
export const HEADER_FAULT =
  /is an invalid header (?:value|name)\.?$|^invalid (?:header|[\w-]+ header)|invalid character in header content|^(?=.*invalid value ).* for header/i

export function isUnsent({ bytesWritten }: ErrorFacts, { phase }: BreakFacts): boolean {
  return UNSENT_PHASES.includes(phase) || bytesWritten === 0
}

/** Whether the connection was still being made, by the phase or by the system call that failed. */
export function isConnecting({ syscall }: ErrorFacts, { phase }: BreakFacts): boolean {
  return UNSENT_PHASES.includes(phase) || syscall === 'connect' || syscall === 'getaddrinfo'
}

export function isConnectionBreak({ code, name }: ErrorFacts): boolean {
  return (
    RESETS.has(code) ||
    CONNECT.has(code) ||
    code.startsWith('ERR_HTTP2_') ||
    isTls(code) ||
    isParserError(code, name)
  )
}

export function isTls(code: string): boolean {
  return (
    code === 'EPROTO' ||
    /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERROR_IN_C)/.test(code) ||
    /^(HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)$/.test(code)
  )
}

/** TLS errors that can also happen on an established connection. */
export function isMidstreamTls(code: string): boolean {
  return code === 'EPROTO' || /^ERR_SSL_.*(RECORD|DECRYPT|EOF|UNEXPECTED|SHUTDOWN)/.test(code)
}

export function isParserError(code: string, name: string): boolean {
  return code.startsWith('HPE_') || name === 'HTTPParserError'
}

function codes(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}
