import type { Headers } from '../../src/model/headers.ts'
import { type Verdict, verdict } from './verdict.ts'

/** The meaning of a status by itself, for any upstream. Includes statuses that are only de-facto standards. */
const STATUSES: Readonly<Record<number, Verdict>> = {
  400: verdict('VALIDATION'),
  401: verdict('AUTH', { sharedFate: 'credential' }),
  402: verdict('FORBIDDEN'),
  403: verdict('FORBIDDEN'),
  404: verdict('NOT_FOUND'),
  405: verdict('ADAPTER_UNSUPPORTED'),
  // 406, 411, 415, 417: a form of the request that the gateway chose; another route's may be right.
  406: verdict('ADAPTER_UNSUPPORTED'),
  // Not AUTH: the login is missing for a proxy, not for the upstream.
  407: verdict('NETWORK', {
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    sharedFate: 'host',
    message: 'A proxy requires a login.',
  }),
  // The server did not receive the whole request.
  408: verdict('TIMEOUT', { fallback: false, writeOutcome: 'not_applied' }),
  409: verdict('CONFLICT'),
  410: verdict('NOT_FOUND'),
  411: verdict('ADAPTER_UNSUPPORTED'),
  412: verdict('CONFLICT'),
  413: verdict('TOO_LARGE', { fallback: false }),
  414: verdict('TOO_LARGE'),
  415: verdict('ADAPTER_UNSUPPORTED'),
  416: verdict('VALIDATION'),
  417: verdict('ADAPTER_UNSUPPORTED'),
  419: verdict('AUTH', { sharedFate: 'credential' }),
  420: verdict('RATE_LIMIT', { sharedFate: 'host' }),
  // RFC 9110 §15.5.20: the server is not responsible for this host, and the request may be repeated.
  421: verdict('NETWORK', { writeOutcome: 'not_applied' }),
  422: verdict('VALIDATION'),
  423: verdict('CONFLICT', { retryable: true }),
  424: verdict('CONFLICT'),
  // RFC 8470: refused without being processed.
  425: verdict('SERVER', { writeOutcome: 'not_applied' }),
  426: verdict('ADAPTER_UNSUPPORTED'),
  428: verdict('VALIDATION', { fallback: true }),
  429: verdict('RATE_LIMIT', { sharedFate: 'host' }),
  431: verdict('TOO_LARGE'),
  440: verdict('AUTH', { sharedFate: 'credential' }),
  // Azure: a lost race; the same call may win next time.
  449: verdict('CONFLICT', { retryable: true }),
  451: verdict('FORBIDDEN'),
  494: verdict('TOO_LARGE'),
  495: verdict('AUTH'),
  496: verdict('AUTH'),
  497: verdict('VALIDATION', { fallback: true }),
  498: verdict('AUTH', { sharedFate: 'credential' }),
  499: verdict('TIMEOUT'),
  501: verdict('ADAPTER_UNSUPPORTED'),
  504: verdict('TIMEOUT'),
  505: verdict('ADAPTER_UNSUPPORTED'),
  506: verdict('SERVER', { retryable: false }),
  // RFC 4918 §11.5: the store is full, and the request must not be repeated until somebody makes room.
  507: verdict('SERVER', { retryable: false, writeOutcome: 'not_applied' }),
  508: verdict('SERVER', { retryable: false }),
  509: verdict('RATE_LIMIT', { sharedFate: 'host' }),
  // A captive portal: the request did not leave the local network.
  511: verdict('NETWORK', {
    retryable: false,
    fallback: false,
    writeOutcome: 'not_applied',
    sharedFate: 'host',
    message: 'The local network requires a login before it forwards requests.',
  }),
  529: verdict('SERVER', { writeOutcome: 'not_applied' }),
  598: verdict('TIMEOUT'),
  599: verdict('TIMEOUT', { fallback: false }),
}

/** The meaning of a failed status at any upstream. */
export function verdictOfStatus(status: number, headers: Headers): Verdict {
  if (status === 503 && headers['retry-after'] !== undefined) {
    // The whole service announces a pause, so another route would fail too.
    return verdict('SERVER', { fallback: false, sharedFate: 'host' })
  }
  const known = STATUSES[status]
  if (known) return known
  if (status >= 500) return verdict('SERVER')
  if (status >= 400) return verdict('VALIDATION')
  return verdict('OUTPUT_INVALID', { fallback: false, writeOutcome: 'not_applied' })
}
