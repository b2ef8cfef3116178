import { describe, expect, test } from 'vitest'
import { classifyBreak } from '../../../adapters/http/judge/transport.ts'
import type { Phase } from '../../../adapters/http/wire/answer.ts'

type Row = readonly [string, Phase, object, string, (number | null)?]

/** Name, phase, error, expected verdict and status. The verdict names only what is true, as in the variants. */
const BREAKS: readonly Row[] = [
  [
    'a name server that fails',
    'connect',
    { code: 'EAI_AGAIN', syscall: 'getaddrinfo' },
    'NETWORK retry',
  ],
  ['no route', 'connect', { code: 'ENETUNREACH', syscall: 'connect' }, 'NETWORK retry'],
  ['the network is down', 'connect', { code: 'ENETDOWN', syscall: 'connect' }, 'NETWORK retry'],
  ['no free address', 'connect', { code: 'EADDRNOTAVAIL' }, 'NETWORK retry'],
  ['a local firewall', 'connect', { code: 'EPERM', syscall: 'connect' }, 'NETWORK'],
  ['a slow handshake', 'tls', { code: 'ERR_TLS_HANDSHAKE_TIMEOUT' }, 'TIMEOUT retry'],
  ['connect timed out', 'connect', { code: 'ETIMEDOUT', syscall: 'connect' }, 'TIMEOUT retry'],
  [
    'read timed out',
    'headers',
    { code: 'ETIMEDOUT', syscall: 'read' },
    'TIMEOUT retry fallback unknown',
  ],
  [
    'both addresses refuse',
    'connect',
    { code: 'ECONNREFUSED', errors: [{ code: 'ECONNREFUSED' }, { code: 'ECONNREFUSED' }] },
    'NETWORK retry',
  ],
  [
    'both addresses are slow',
    'connect',
    { code: 'ETIMEDOUT', errors: [{ code: 'ETIMEDOUT' }, { code: 'ETIMEDOUT' }] },
    'TIMEOUT retry',
  ],
  ['an old certificate', 'tls', { code: 'CERT_HAS_EXPIRED' }, 'NETWORK'],
  ['a certificate for another name', 'tls', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'NETWORK'],
  [
    'an unknown certificate authority',
    'tls',
    { code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' },
    'NETWORK fallback',
  ],
  ['no common protocol', 'tls', { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' }, 'NETWORK'],
  [
    'a reset during the handshake',
    'tls',
    {
      code: 'ECONNRESET',
      message: 'Client network socket disconnected before secure TLS connection was established',
    },
    'NETWORK retry',
  ],
  [
    'a bad TLS record after the handshake',
    'headers',
    { code: 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC' },
    'NETWORK retry fallback unknown',
  ],
  ['aborted by the peer', 'headers', { code: 'ECONNABORTED' }, 'NETWORK retry fallback unknown'],
  [
    'no byte was written',
    'headers',
    { code: 'UND_ERR_SOCKET', socket: { bytesWritten: 0 } },
    'NETWORK retry',
  ],
  [
    'a body that ends early',
    'body',
    { code: 'ERR_STREAM_PREMATURE_CLOSE' },
    'NETWORK retry fallback applied',
    201,
  ],
  [
    'a failure that ends early',
    'body',
    { code: 'UND_ERR_SOCKET' },
    'NETWORK retry fallback unknown',
    502,
  ],
  [
    'a client that was closed',
    'build',
    { message: 'fetch failed', cause: { code: 'UND_ERR_CLOSED' } },
    'NETWORK retry fallback',
  ],
  ['a client that was destroyed', 'build', { code: 'UND_ERR_DESTROYED' }, 'NETWORK retry fallback'],
  ['a refusal that ends early', 'body', { code: 'UND_ERR_SOCKET' }, 'NETWORK retry fallback', 404],
  [
    'a wrong content length',
    'body',
    { code: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' },
    'NETWORK retry fallback applied',
    200,
  ],
  [
    'a wrong chunk size',
    'body',
    { name: 'HTTPParserError', code: 'HPE_INVALID_CHUNK_SIZE' },
    'NETWORK retry fallback applied',
    200,
  ],
  [
    'gzip that ends early',
    'body',
    { code: 'Z_BUF_ERROR' },
    'OUTPUT_INVALID retry fallback applied',
    200,
  ],
  [
    'invalid brotli',
    'body',
    { code: 'ERR__ERROR_FORMAT_PADDING_1' },
    'OUTPUT_INVALID retry fallback applied',
    200,
  ],
  [
    'JSON that ends early',
    'parse',
    { name: 'SyntaxError', message: 'Unexpected end of JSON input' },
    'OUTPUT_INVALID retry fallback applied',
    200,
  ],
  [
    'an answer that is too large',
    'body',
    { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' },
    'TOO_LARGE fallback applied',
    200,
  ],
  [
    'a refused HTTP/2 stream',
    'headers',
    {
      code: 'ERR_HTTP2_STREAM_ERROR',
      message: 'Stream closed with error code NGHTTP2_REFUSED_STREAM',
    },
    'NETWORK retry fallback',
  ],
  [
    'a broken HTTP/2 stream',
    'headers',
    {
      code: 'ERR_HTTP2_STREAM_ERROR',
      message: 'Stream closed with error code NGHTTP2_INTERNAL_ERROR',
    },
    'NETWORK retry fallback unknown',
  ],
  [
    'a proxy that refuses',
    'connect',
    {
      name: 'AbortError',
      code: 'UND_ERR_ABORTED',
      message: 'Proxy response (403) !== 200 when HTTP Tunneling',
    },
    'NETWORK fallback',
  ],
  [
    'a proxy that fails',
    'connect',
    {
      name: 'AbortError',
      code: 'UND_ERR_ABORTED',
      message: 'Proxy response (502) !== 200 when HTTP Tunneling',
    },
    'NETWORK retry fallback',
  ],
  [
    'a caller who left',
    'headers',
    { name: 'AbortError', message: 'This operation was aborted' },
    'CANCELLED unknown',
  ],
  [
    'a caller who left before sending',
    'connect',
    { name: 'AbortError', message: 'This operation was aborted' },
    'CANCELLED',
  ],
  [
    "an invalid header, in undici's words",
    'build',
    { code: 'UND_ERR_INVALID_ARG', message: 'invalid authorization header' },
    'VALIDATION',
  ],
  ['no protocol', 'build', { code: 'ERR_INVALID_PROTOCOL' }, 'VALIDATION fallback'],
  [
    'no more file descriptors',
    'connect',
    { code: 'EMFILE', syscall: 'connect' },
    'SERVER retry fallback',
  ],
]

describe('an exchange that breaks', () => {
  for (const [name, phase, error, expected, status = null] of BREAKS) {
    test(`${name}`, () => {
      const wrapped = { name: 'TypeError', message: 'fetch failed', cause: error }
      expect(inShort(classifyBreak({ phase, error, status }))).toBe(expected)
      expect(inShort(classifyBreak({ phase, error: wrapped, status }))).toBe(expected)
    })
  }
})

function inShort({ code, retryable, fallback, writeOutcome }: ReturnType<typeof classifyBreak>) {
  return [
    code,
    retryable && 'retry',
    fallback && 'fallback',
    writeOutcome !== 'not_applied' && writeOutcome,
  ]
    .filter(Boolean)
    .join(' ')
}
