import { compileFailureRule } from '../../../src/expressions/failure-rules.ts'
import type { FailureRule, FailureRuleSource } from '../../../src/model/failure-rule.ts'

type When = FailureRuleSource['when']
type Then = FailureRuleSource['then']

/** The backend was unreachable: it is down for every route, and nothing was applied. */
const UNREACHED: Then = {
  code: 'SERVER',
  fallback: false,
  write_outcome: 'not_applied',
  shared_fate: 'host',
}
/** The proxy did not forward this request, but may forward the next. */
const NOT_FORWARDED: Then = { code: 'SERVER', fallback: true, write_outcome: 'not_applied' }
/** The proxy forwarded the request and got no answer in time. */
const UNANSWERED: Then = { code: 'TIMEOUT', fallback: true, write_outcome: 'unknown' }
const REFUSED: Then = { code: 'FORBIDDEN' }

const CLOUDFLARE = 'cloudflare'

/** Cloudflare puts its 1xxx codes in HTML, plain text and JSON bodies; they say more than the status. */
function cloudflareCode(codes: string): When {
  return { header: { server: CLOUDFLARE }, message: `\\berror(\\s?code)?:?\\s*(${codes})\\b` }
}

function cloudflareStatus(...status: number[]): When {
  return { status, header: { server: CLOUDFLARE } }
}

/** Envoy (and so Istio) writes why the exchange with the backend ended. */
function envoy(reason: string): When {
  return { status: 503, message: `^upstream connect error.* reset reason: (${reason})` }
}

/**
 * Rules for CDNs, load balancers and proxies that answer in place of an upstream. Any upstream may be
 * behind one, so these apply to all, after the upstream's own rules. The first match counts.
 */
const RULES: readonly (readonly [When, Then])[] = [
  // https://developers.cloudflare.com/support/troubleshooting/http-status-codes/
  [cloudflareCode('1015|1027'), { code: 'RATE_LIMIT', shared_fate: 'host' }],
  [cloudflareCode('1016|1018|1033|1000|1001|1002|1013|1014|1019|1023|1034'), UNREACHED],
  [cloudflareCode('100[3-9]|101[0-2]|102[0-2]|1025|1106'), REFUSED],
  [cloudflareCode('1101|1102|1104|1042'), { code: 'SERVER' }],
  [{ header: { 'cf-mitigated': 'challenge' } }, REFUSED],
  [{ ...cloudflareStatus(503), message: 'Just a moment|Checking your browser' }, REFUSED],
  [cloudflareStatus(520), { code: 'SERVER' }],
  [cloudflareStatus(521, 523), UNREACHED],
  // Either the TCP handshake timed out, or the acknowledgement of a request that was sent.
  [cloudflareStatus(522), { code: 'TIMEOUT', fallback: false, shared_fate: 'host' }],
  [cloudflareStatus(524), UNANSWERED],
  [cloudflareStatus(525), UNREACHED],
  // An invalid certificate does not become valid by retrying.
  [cloudflareStatus(526), { ...UNREACHED, retryable: false }],
  [cloudflareStatus(527), { code: 'SERVER' }],
  [cloudflareStatus(530), UNREACHED],

  // https://www.envoyproxy.io/docs/envoy/latest/faq/debugging/why_is_my_route_not_working
  [
    envoy(
      '((local|remote) )?connection failure|connection timeout|overflow|(local|remote) refused|overload manager',
    ),
    NOT_FORWARDED,
  ],
  [{ status: 503, message: '^upstream connect error.*delayed connect error' }, NOT_FORWARDED],
  [{ status: 503, header: { 'x-envoy-overloaded': 'true' } }, NOT_FORWARDED],
  [{ status: 503, message: '^(no healthy upstream|envoy overloaded)$' }, NOT_FORWARDED],
  [{ status: [408, 504], message: '^(upstream request|stream|request) timeout$' }, UNANSWERED],

  // AWS: the load balancer names itself only in its own answers, not in those of its targets.
  [{ status: 503, header: { server: '^awselb/' } }, NOT_FORWARDED],
  [{ status: 561, header: { server: '^awselb/' } }, { code: 'AUTH' }],
  [{ status: 460, header: { server: '^awselb/' } }, UNANSWERED],

  // HAProxy, nginx, Traefik, Varnish and Kong: no backend is available.
  [{ status: 503, message: 'No server is available to handle this request' }, NOT_FORWARDED],
  [{ status: 503, message: '^no available server$|backend is unhealthy' }, NOT_FORWARDED],
  [{ status: 503, message: 'failure to get a peer from the ring-balancer' }, NOT_FORWARDED],
  [
    { status: 400, message: 'Request Header Or Cookie Too Large' },
    { code: 'TOO_LARGE', fallback: true },
  ],
  [
    { status: 400, message: 'plain HTTP request was sent to HTTPS port' },
    { code: 'VALIDATION', fallback: true },
  ],
  [{ status: 400, message: 'No required SSL certificate was sent' }, { code: 'AUTH' }],

  // Squid gives the reason in its own header.
  [
    {
      header: {
        'x-squid-error': '^ERR_(DNS_FAIL|CONNECT_FAIL|CANNOT_FORWARD|SECURE_CONNECT_FAIL)',
      },
    },
    { ...UNREACHED, code: 'NETWORK' },
  ],
  [{ header: { 'x-squid-error': '^ERR_(READ_TIMEOUT|LIFETIME_EXP)' } }, UNANSWERED],

  // Firewalls and bot protection.
  [
    { status: 403, message: 'make sure your request has a User-Agent' },
    { code: 'VALIDATION', fallback: true },
  ],
]

const COMPILED: readonly FailureRule[] = RULES.map(([when, then]) =>
  // oxlint-disable-next-line unicorn/no-thenable -- data, in the form that people write.
  compileFailureRule({ when, then }, null),
)

/** The rules of an upstream, and after them those for proxies and CDNs, which may have answered in its place. */
export function withIntermediaries(rules: readonly FailureRule[]): readonly FailureRule[] {
  const known = completed.get(rules)
  if (known) return known
  const all = [...rules, ...COMPILED]
  completed.set(rules, all)
  return all
}

/** An upstream keeps its list, and what others know of the whole one is kept by the list. */
const completed = new WeakMap<readonly FailureRule[], readonly FailureRule[]>()
