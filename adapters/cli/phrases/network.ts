import { verdict } from '../../failures/verdict.ts'
import type { Phrases } from './phrases.ts'

/** Nothing was sent, and every route to the same host would fail too. */
const UNREACHABLE = { fallback: false, writeOutcome: 'not_applied', sharedFate: 'host' } as const
/** Retrying does not help, but another program may trust other certificate authorities. */
const UNTRUSTED = { retryable: false, fallback: true, writeOutcome: 'not_applied' } as const

/** The network failed on the way to the service or back. */
export const NETWORK: Phrases = [
  // Connecting timed out: nothing was sent.
  [
    [
      '(?:dial|lookup) .{0,200}(?:i/o timeout|timed out|deadline exceeded)',
      'TLS handshake timeout',
      'connect(?:ion)? time(?:d )?out',
      'connect ETIMEDOUT',
      'failed to connect\\b.{0,200}(?:timed? ?out|timeout)',
      'waiting for connection',
      'ConnectTimeoutError',
    ],
    verdict('TIMEOUT', UNREACHABLE),
  ],
  // TLS to a plain-text port or the other way round: a wrong configuration.
  [
    [
      'HTTP response to HTTPS client',
      'first record does not look like a TLS handshake',
      'wrong version number',
      'unsupported protocol scheme',
    ],
    verdict('NETWORK', { ...UNREACHABLE, retryable: false }),
  ],
  // The server answered, but not in HTTP.
  [['malformed HTTP'], verdict('NETWORK', { retryable: false, fallback: false })],
  // The proxy requires a login; another program may not use the proxy.
  [['proxy authentication required'], verdict('NETWORK', UNTRUSTED)],
  [
    [
      'x509',
      'certificate (?:verif\\w+|signed|has expired|is not (?:valid|trusted)|required|unknown)',
      '(?:unable to|failed to|could not|cannot) verify (?:the )?(?:certificate|issuer|leaf)',
      'self[- ]signed certificate',
      'SSLError|SSLCertVerificationError',
      'CERTIFICATE_VERIFY_FAILED',
      'SSL (?:validation failed|certificate problem|routines|error)',
      'remote error: tls',
      'tls: (?:failed|bad|handshake|protocol|unknown|no)',
      'host key verification failed',
    ],
    verdict('NETWORK', UNTRUSTED),
  ],
  [
    [
      'connection refused',
      'no such host',
      'server misbehaving',
      '(?:network|host|destination) (?:is )?unreachable',
      'no route to host',
      'could not resolve (?:host|proxy)',
      '(?:temporary failure in )?name (?:resolution|or service not known)',
      'nodename nor servname',
      'getaddrinfo',
      'NewConnectionError|NameResolutionError|gaierror',
      'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH',
      'proxyconnect',
      'error connecting to',
      'could not connect to the endpoint',
      'cannot connect to the docker daemon',
      'the connection to the server .{0,200} was refused',
      'cluster unreachable',
      'failed to (?:connect|establish a new connection)',
      'dial \\w+ .{0,200}: connect',
    ],
    verdict('NETWORK', UNREACHABLE),
  ],
  [
    [
      'context deadline exceeded',
      'deadline exceeded',
      'client\\.timeout exceeded',
      'awaiting headers',
      'timed out|time[ -]out',
      // The word alone may be a name that a user chose.
      '(?:i/o|read|request|operation|gateway|response|network|server|query|lock) timeout',
      'timeout (?:of|after|on|at|while|waiting|awaiting|exceeded|expired|error|reached)',
      '(?<=^|: )timeout(?=$|[:.,])',
      'timeout[.!]?$',
      'ETIMEDOUT|ESOCKETTIMEDOUT|ReadTimeoutError',
    ],
    verdict('TIMEOUT'),
  ],
  // The connection broke, perhaps after the service had read the request.
  [
    [
      'EOF',
      'connection (?:was )?(?:reset|aborted|closed|broken|lost)',
      'ConnectionResetError|RemoteDisconnected|ProtocolError',
      'broken pipe',
      'socket hang ?up',
      'ECONNRESET|EPIPE',
      'stream error',
      'GOAWAY',
      'transport (?:is closing|connection broken)',
      'server closed (?:idle )?(?:the )?connection',
      'closed network connection',
      'remote (?:end|host) closed',
      'remote end hung up',
      'incompleteread',
      'RPC failed; curl',
    ],
    verdict('NETWORK'),
  ],
  [['unable to connect', 'could not connect', 'cannot connect'], verdict('NETWORK', UNREACHABLE)],
  // The tool could not read the service's answer.
  [
    [
      'unexpected end of JSON input',
      'invalid character "?.{0,200}"? (?:looking for|after|in)',
      'looking for beginning of value',
      'cannot unmarshal',
      '(?:error|failed) (?:decoding|parsing|to decode|to parse|unmarshal\\w*).{0,200}(?:json|response|body)',
      '(?:unable|failed) to (?:parse|decode) response',
      'expecting value: line',
      'unexpected token .{0,200} in JSON',
      'gzip: invalid header',
    ],
    verdict('OUTPUT_INVALID'),
  ],
]
