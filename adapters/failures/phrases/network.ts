import { verdict } from '../verdict.ts'
import type { PhraseGroup } from './phrase.ts'
import { REFUSED } from './translations.ts'

/** Nothing was sent, and every route to the same host would fail too. */
const UNREACHABLE = { fallback: false, writeOutcome: 'not_applied', sharedFate: 'host' } as const
/** Retrying does not help, but another program may trust other certificate authorities. */
const UNTRUSTED = { retryable: false, fallback: true, writeOutcome: 'not_applied' } as const

/** The network failed on the way to the service or back. */
export const NETWORK: readonly PhraseGroup[] = [
  {
    source: 'Go net, libcurl, urllib3, undici: connecting timed out, so nothing was sent',
    rank: 'exact',
    verdict: verdict('TIMEOUT', UNREACHABLE),
    phrases: [
      '(?:dial|lookup) .{0,200}(?:i/o timeout|timed out|deadline exceeded)',
      'TLS handshake timeout',
      'connect(?:ion|ing)? time(?:d )?out',
      '(?:failed|unable|could not) to connect\\b.{0,200}(?:timed? ?out|timeout)',
      'waiting for connection',
    ],
  },
  {
    // TLS to a plain-text port or the other way round: a wrong configuration.
    source: 'Go net/http and crypto/tls, OpenSSL, git',
    rank: 'exact',
    verdict: verdict('NETWORK', { ...UNREACHABLE, retryable: false }),
    phrases: [
      'HTTP response to HTTPS client',
      'first record does not look like a TLS handshake|wrong version number',
      'unsupported protocol(?: scheme)?',
    ],
  },
  {
    source: 'Go net/http, java.net.http, Python http.client: the server answered, but not in HTTP',
    rank: 'exact',
    verdict: verdict('NETWORK', { retryable: false, fallback: false }),
    phrases: ['malformed HTTP|(?:invalid|bad) status ?line|invalid HTTP (?:version|response)'],
  },
  {
    source: 'proxies (RFC 9110), Go crypto/x509, OpenSSL, libcurl, Python ssl, ssh',
    rank: 'exact',
    verdict: verdict('NETWORK', UNTRUSTED),
    phrases: [
      'proxy authentication required',
      'x509',
      'certificate (?:verif\\w+|signed|has expired|is not (?:valid|trusted)|required|unknown)|CERTIFICATE_VERIFY_FAILED',
      '(?:unable to|failed to|could not|cannot) (?:verify (?:the )?(?:certificate|issuer|leaf)|get local issuer)',
      'self[- ]signed certificate',
      'SSL (?:validation failed|certificate problem|routines|error)',
      'remote error: tls|tls: (?:failed|bad|handshake|protocol|unknown|no)',
      'host key verification failed',
    ],
  },
  {
    source: 'libc (strerror, gai_strerror), Go net, Winsock, libcurl, docker, kubectl, helm',
    rank: 'exact',
    verdict: verdict('NETWORK', UNREACHABLE),
    phrases: [
      REFUSED.join('|'),
      'connection refused(?!: (?:not auth|bad user))|actively refused|connection to the server .{0,200} was refused',
      'no such host|server misbehaving|unknown (?:server )?host|unable to resolve host|cluster unreachable',
      '(?:network|host|destination) (?:is )?unreachable|no route to host',
      'could not resolve (?:host|proxy)|(?:temporary failure in )?name (?:resolution|or service not known)|nodename nor servname|getaddrinfo',
      "can(?:no|')t contact \\w+ server",
      'proxyconnect',
      'could not connect to the endpoint|cannot connect to the docker daemon',
      'failed to (?:connect|establish a new connection)',
      'dial \\w+ .{0,200}: connect',
    ],
  },
  {
    source: 'Go context and net/http, libc, Python, JDBC, proxies',
    rank: 'specific',
    verdict: verdict('TIMEOUT'),
    phrases: [
      '(?:context )?deadline exceeded|client\\.timeout exceeded|awaiting headers',
      'timed out|time[ -]out',
      // The word alone may be a name that a user chose.
      '(?:i/o|read|request|operation|gateway|response|network|server|query|lock|upstream|statement) timeout',
      'timeout (?:of|after|on|at|while|waiting|awaiting|exceeded|expired|error|reached)|(?<=^|: )timeout(?=$|[:.,])|timeout[.!]?$',
      'respond to your request in time|exceed\\w* (?:the )?time limit',
    ],
  },
  {
    // The connection broke, perhaps after the service had read the request.
    source:
      'libc, Go net/http, Python http.client and urllib3, Java, Rust hyper, Node, curl, git, HTTP/2',
    rank: 'specific',
    verdict: verdict('NETWORK'),
    phrases: [
      'EOF|incompleteread|unexpected end of (?:file|stream)',
      'connection (?:was )?(?:\\w+ )?(?:reset|aborted|closed|broken|lost|dropped)|broken pipe',
      'socket hang ?up|received no bytes|empty reply from server|incomplete ?message',
      'stream error|GOAWAY|RPC failed; curl',
      'transport (?:is closing|connection broken)|closed network connection',
      'server closed (?:idle )?(?:the )?connection|remote (?:end|host) closed|remote end hung up|forcibly closed',
    ],
  },
  {
    source: 'many programs, before the reason',
    rank: 'general',
    verdict: verdict('NETWORK', UNREACHABLE),
    phrases: ['(?:unable to|could not|cannot|can.t) connect|error connecting to|connection failed'],
  },
  {
    // The program could not read the service's answer.
    source: 'encoding/json (Go), json (Python), JSON.parse (V8)',
    rank: 'exact',
    verdict: verdict('OUTPUT_INVALID'),
    phrases: [
      'unexpected end of JSON input|looking for beginning of value|expecting value: line|cannot unmarshal',
      'invalid character "?.{0,200}"? (?:looking for|after|in)|unexpected token .{0,200} in JSON|is not valid JSON',
      '(?:error|failed|unable) (?:to )?(?:decod\\w+|pars\\w+|unmarshal\\w*).{0,200}(?:json|response|body)',
      'gzip: invalid header|can.t decode byte',
    ],
  },
]
