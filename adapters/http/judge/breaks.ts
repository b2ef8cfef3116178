import type { ErrorFacts } from '../../failures/read/error-chain.ts'
import { type Verdict, verdict } from '../../failures/verdict.ts'
import { DNS_ERRORS } from '../../failures/vocabulary/errno.ts'
import { isCutShort } from '../wire/json.ts'
import {
  type BreakFacts,
  CONNECT,
  CONNECT_TIMEOUTS,
  HEADER_FAULT,
  HEADERS_OVERFLOW,
  isConnecting,
  isConnectionBreak,
  isMidstreamTls,
  isParserError,
  isTls,
  isUnsent,
  RESOURCES,
  SIZE,
  TIMEOUTS,
  TRUST_STORE,
} from './break-facts.ts'

/** One kind of break. The first row that matches an error decides. */
export interface BreakRow {
  readonly matches: (error: ErrorFacts, at: BreakFacts) => boolean
  readonly verdict: Verdict
  /** Set for errors that can only happen before the request is sent. */
  readonly unsent?: true
}

/** The connection to the host failed, so other routes to the same host would fail too. */
const HOST_DOWN = { fallback: false, sharedFate: 'host' } as const

export const BREAKS: readonly BreakRow[] = [
  {
    matches: ({ message }) => message.startsWith('Proxy response (407)'),
    verdict: verdict('NETWORK', { retryable: false, message: 'The proxy requires a login.' }),
    unsent: true,
  },
  {
    matches: ({ message }) => /^Proxy response \((?:408|429|5\d\d)\)/.test(message),
    verdict: verdict('NETWORK', { message: 'The proxy could not reach the upstream.' }),
    unsent: true,
  },
  {
    matches: ({ message }) => /^Proxy response \(\d+\)/.test(message),
    verdict: verdict('NETWORK', { retryable: false, message: 'The proxy refused the connection.' }),
    unsent: true,
  },
  {
    matches: ({ message }, { phase }) => phase === 'build' && HEADER_FAULT.test(message),
    verdict: verdict('VALIDATION', {
      message: 'A header contains characters that HTTP does not allow; check the credential first.',
    }),
    unsent: true,
  },
  {
    // The gateway itself closed the client, so the request may be sent by another.
    matches: ({ code }, { phase }) =>
      phase === 'build' && /^UND_ERR_(?:CLOSED|DESTROYED)$/.test(code),
    verdict: verdict('NETWORK', {
      message: 'The connection was closed before the request was sent.',
    }),
    unsent: true,
  },
  {
    matches: ({ code }, { phase }) =>
      phase === 'build' ||
      /^(ERR_INVALID_|ERR_UNESCAPED_|ERR_HTTP_INVALID_|UND_ERR_INVALID_ARG|UND_ERR_REQ_)/.test(
        code,
      ),
    verdict: verdict('VALIDATION', {
      fallback: true,
      message: "The request could not be built; check the upstream's URL and the card.",
    }),
    unsent: true,
  },
  {
    matches: ({ code }) => DNS_ERRORS.has(code) || code.startsWith('EAI_'),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: 'The host name could not be resolved.',
    }),
    unsent: true,
  },
  {
    // An AggregateError: the client tried several addresses, and every one failed.
    matches: ({ members }) => members.length > 0 && members.every(({ code }) => TIMEOUTS.has(code)),
    verdict: verdict('TIMEOUT', {
      ...HOST_DOWN,
      message: "None of the host's addresses answered in time.",
    }),
    unsent: true,
  },
  {
    matches: ({ members }) => members.length > 0,
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: "None of the host's addresses could be reached.",
    }),
    unsent: true,
  },
  {
    matches: (error, at) =>
      CONNECT_TIMEOUTS.has(error.code) || (TIMEOUTS.has(error.code) && isConnecting(error, at)),
    verdict: verdict('TIMEOUT', { ...HOST_DOWN, message: 'Connecting to the host timed out.' }),
    unsent: true,
  },
  {
    matches: ({ code, name, message }) =>
      TIMEOUTS.has(code) ||
      name === 'TimeoutError' ||
      message.startsWith('HTTP/2: "stream timeout'),
    verdict: verdict('TIMEOUT', { message: 'The complete answer did not arrive in time.' }),
  },
  {
    matches: (error, at) =>
      (error.code === 'EACCES' || error.code === 'EPERM') && isConnecting(error, at),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'This machine is not allowed to connect to the host.',
    }),
    unsent: true,
  },
  {
    matches: ({ code, syscall }) => CONNECT.has(code) && syscall !== 'read' && syscall !== 'write',
    verdict: verdict('NETWORK', { ...HOST_DOWN, message: 'The host could not be reached.' }),
    unsent: true,
  },
  {
    matches: ({ code }) => RESOURCES.has(code),
    verdict: verdict('SERVER', { message: 'The gateway ran out of sockets or memory.' }),
  },
  {
    matches: ({ code }) => TRUST_STORE.has(code),
    verdict: verdict('NETWORK', {
      retryable: false,
      message:
        'The certificate is signed by an authority that is not trusted here; set `ca` in upstream.yaml.',
    }),
    unsent: true,
  },
  {
    // A garbled record on an established connection counts as a broken connection, further below.
    matches: (error, at) =>
      isTls(error.code) && (isConnecting(error, at) || !isMidstreamTls(error.code)),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'The TLS handshake failed.',
    }),
    unsent: true,
  },
  {
    matches: ({ code }) => HEADERS_OVERFLOW.has(code),
    verdict: verdict('OUTPUT_INVALID', { message: "The answer's headers are too large." }),
  },
  {
    matches: ({ code, name }, { status }) => isParserError(code, name) && status === null,
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'The host answered, but not in HTTP.',
    }),
  },
  {
    matches: ({ code }) => SIZE.has(code),
    verdict: verdict('TOO_LARGE', {
      message: 'The answer is larger than max_response_bytes allows.',
    }),
  },
  {
    matches: ({ code }) =>
      /^(Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ERR_ZLIB|ERR_ENCODING_)/.test(code) ||
      code === 'UNKNOWN_CONTENT_ENCODING',
    verdict: verdict('OUTPUT_INVALID', {
      retryable: true,
      message: 'The answer could not be decompressed.',
    }),
  },
  {
    matches: ({ code }) => code === 'UNREADABLE_TEXT',
    verdict: verdict('OUTPUT_INVALID', {
      message: 'The answer is neither UTF-8 nor in the character set that it declares.',
    }),
  },
  {
    matches: ({ name, message }) => name === 'SyntaxError' && isCutShort(message),
    verdict: verdict('OUTPUT_INVALID', {
      retryable: true,
      message: 'The answer is cut off.',
    }),
  },
  {
    matches: ({ name }) => name === 'SyntaxError',
    verdict: verdict('OUTPUT_INVALID', { message: 'The answer is not valid JSON.' }),
  },
  {
    matches: ({ code, message }) =>
      code === 'TOO_MANY_REDIRECTS' ||
      /^(redirect count exceeded|unexpected redirect)/.test(message),
    verdict: verdict('NETWORK', {
      retryable: false,
      fallback: false,
      message: 'The upstream redirects in circles.',
    }),
  },
  {
    // RFC 9113 §8.7: a refused stream was not processed.
    matches: ({ message }) => message.includes('REFUSED_STREAM'),
    verdict: verdict('NETWORK', {
      message: 'The upstream refused the request before processing it.',
    }),
    unsent: true,
  },
  {
    matches: (error, at) => isConnectionBreak(error) && isUnsent(error, at),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: 'The connection broke while it was being made.',
    }),
    unsent: true,
  },
  {
    matches: isConnectionBreak,
    verdict: verdict('NETWORK', {
      message: 'The connection broke before the answer was complete.',
    }),
  },
  {
    matches: ({ name, code }) =>
      name === 'AbortError' || code === 'ABORT_ERR' || code === 'UND_ERR_ABORTED',
    verdict: verdict('CANCELLED', { message: 'The caller went away before the answer arrived.' }),
  },
]
