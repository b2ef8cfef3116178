import type { ErrorFacts } from '../read/error-chain.ts'
import { isCutShort } from '../wire/json.ts'
import {
  type BreakFacts,
  CONNECT,
  CONNECT_TIMEOUTS,
  connecting,
  DNS,
  HEADER_FAULT,
  HEADERS_OVERFLOW,
  isBroken,
  isMidstream,
  isParserError,
  isTls,
  isUnsent,
  RESOURCES,
  SIZE,
  TIMEOUTS,
  TRUST_STORE,
} from './break-facts.ts'
import { type Verdict, verdict } from './verdict.ts'

/** One kind of break. The first row that knows an error decides. */
export interface BreakRow {
  readonly knows: (error: ErrorFacts, at: BreakFacts) => boolean
  readonly verdict: Verdict
  /** Such an error can only come before the request is sent. */
  readonly unsent?: true
}

/** No connection could be made: other routes to the host fare no better. */
const HOST_DOWN = { fallback: false, sharedFate: 'host' } as const

export const BREAKS: readonly BreakRow[] = [
  {
    knows: ({ message }) => message.startsWith('Proxy response (407)'),
    verdict: verdict('NETWORK', { retryable: false, message: 'The proxy asks for a login.' }),
    unsent: true,
  },
  {
    knows: ({ message }) => /^Proxy response \((?:408|429|5\d\d)\)/.test(message),
    verdict: verdict('NETWORK', { message: 'The proxy could not reach the upstream.' }),
    unsent: true,
  },
  {
    knows: ({ message }) => /^Proxy response \(\d+\)/.test(message),
    verdict: verdict('NETWORK', { retryable: false, message: 'The proxy refused the connection.' }),
    unsent: true,
  },
  {
    knows: ({ message }, { phase }) => phase === 'build' && HEADER_FAULT.test(message),
    verdict: verdict('VALIDATION', {
      message: 'A header holds characters that HTTP forbids; look at the credential first.',
    }),
    unsent: true,
  },
  {
    knows: ({ code }, { phase }) =>
      phase === 'build' ||
      /^(ERR_INVALID_|ERR_UNESCAPED_|ERR_HTTP_INVALID_|UND_ERR_INVALID_ARG)/.test(code),
    verdict: verdict('VALIDATION', {
      fallback: true,
      message: 'The request could not be built; look at the URL of the upstream and at the card.',
    }),
    unsent: true,
  },
  {
    knows: ({ code }) => DNS.has(code) || code.startsWith('EAI_'),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: 'The name of the host could not be resolved.',
    }),
    unsent: true,
  },
  {
    // Several addresses were tried, and each failed in its own way.
    knows: ({ members }) => members.length > 0 && members.every(({ code }) => TIMEOUTS.has(code)),
    verdict: verdict('TIMEOUT', {
      ...HOST_DOWN,
      message: 'No address of the host answered in time.',
    }),
    unsent: true,
  },
  {
    knows: ({ members }) => members.length > 0,
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: 'No address of the host could be reached.',
    }),
    unsent: true,
  },
  {
    knows: (error, at) =>
      CONNECT_TIMEOUTS.has(error.code) || (TIMEOUTS.has(error.code) && connecting(error, at)),
    verdict: verdict('TIMEOUT', { ...HOST_DOWN, message: 'No connection could be made in time.' }),
    unsent: true,
  },
  {
    knows: ({ code, name, message }) =>
      TIMEOUTS.has(code) ||
      name === 'TimeoutError' ||
      message.startsWith('HTTP/2: "stream timeout'),
    verdict: verdict('TIMEOUT', { message: 'No complete answer came in time.' }),
  },
  {
    knows: (error, at) =>
      (error.code === 'EACCES' || error.code === 'EPERM') && connecting(error, at),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'This machine may not connect to the host.',
    }),
    unsent: true,
  },
  {
    knows: ({ code, syscall }) => CONNECT.has(code) && syscall !== 'read' && syscall !== 'write',
    verdict: verdict('NETWORK', { ...HOST_DOWN, message: 'The host could not be reached.' }),
    unsent: true,
  },
  {
    knows: ({ code }) => RESOURCES.has(code),
    verdict: verdict('SERVER', { message: 'The gateway is short of sockets or memory.' }),
  },
  {
    knows: ({ code }) => TRUST_STORE.has(code),
    verdict: verdict('NETWORK', {
      retryable: false,
      message:
        'The certificate is signed by an authority that is not trusted here; name it under ca.',
    }),
    unsent: true,
  },
  {
    // A garbled record in the middle of a connection is a break like any other.
    knows: (error, at) => isTls(error.code) && (connecting(error, at) || !isMidstream(error.code)),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'No TLS connection could be agreed on.',
    }),
    unsent: true,
  },
  {
    knows: ({ code }) => HEADERS_OVERFLOW.has(code),
    verdict: verdict('OUTPUT_INVALID', { message: 'The headers of the answer are too large.' }),
  },
  {
    knows: ({ code, name }, { status }) => isParserError(code, name) && status === null,
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      retryable: false,
      message: 'What answered does not speak HTTP.',
    }),
  },
  {
    knows: ({ code }) => SIZE.has(code),
    verdict: verdict('TOO_LARGE', {
      message: 'The answer is larger than max_response_bytes allows.',
    }),
  },
  {
    knows: ({ code }) =>
      /^(Z_|ZSTD_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ERR_ZLIB|ERR_ENCODING_)/.test(code) ||
      code === 'UNKNOWN_CONTENT_ENCODING',
    verdict: verdict('OUTPUT_INVALID', {
      retryable: true,
      message: 'The answer could not be decompressed.',
    }),
  },
  {
    knows: ({ name, message }) => name === 'SyntaxError' && isCutShort(message),
    verdict: verdict('OUTPUT_INVALID', {
      retryable: true,
      message: 'The answer ends in the middle.',
    }),
  },
  {
    knows: ({ name }) => name === 'SyntaxError',
    verdict: verdict('OUTPUT_INVALID', {
      message: 'The answer is not the JSON that it should be.',
    }),
  },
  {
    knows: ({ code, message }) =>
      code === 'TOO_MANY_REDIRECTS' ||
      /^(redirect count exceeded|unexpected redirect)/.test(message),
    verdict: verdict('NETWORK', {
      retryable: false,
      fallback: false,
      message: 'The upstream redirects without end.',
    }),
  },
  {
    // RFC 9113 §8.7: a refused stream was not processed.
    knows: ({ message }) => message.includes('REFUSED_STREAM'),
    verdict: verdict('NETWORK', {
      message: 'The upstream refused the request; it may be sent again.',
    }),
    unsent: true,
  },
  {
    knows: (error, at) => isBroken(error) && isUnsent(error, at),
    verdict: verdict('NETWORK', {
      ...HOST_DOWN,
      message: 'The connection broke while it was made.',
    }),
    unsent: true,
  },
  {
    knows: isBroken,
    verdict: verdict('NETWORK', {
      message: 'The connection broke before the answer was complete.',
    }),
  },
  {
    knows: ({ name, code }) =>
      name === 'AbortError' || code === 'ABORT_ERR' || code === 'UND_ERR_ABORTED',
    verdict: verdict('CANCELLED', { message: 'The caller went away before the answer.' }),
  },
]
