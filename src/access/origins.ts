import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../model/errors.ts'

export interface OriginSettings {
  readonly allowed_origins: readonly string[]
  /** Empty when callers reach the gateway under the address in Host. */
  readonly public_url: string
}

/** Decides which web pages may call. A request that no page sent carries neither of the headers and passes. */
export interface Origins {
  /** Returns the origin of the page, null when no page of another origin sent the request, or the refusal. */
  check(headers: IncomingHttpHeaders): string | null | GatewayError
}

/** A browser sends these headers by itself, and no page can change them. */
export function createOrigins({ allowed_origins, public_url }: OriginSettings): Origins {
  const allowed = new Set(allowed_origins.map(originOf))
  const own = public_url === '' ? null : originOf(public_url)
  return {
    check({ origin, host, 'sec-fetch-site': site }) {
      if (origin === undefined) return site === 'cross-site' ? foreign('another site') : null
      if (allowed.has(origin)) return origin
      if (origin === own) return null
      if (site === 'cross-site' || origin !== `http://${host}`) return foreign(origin)
      return null
    },
  }
}

/** Browsers send the origin in this form: no path, no default port, lower case. */
function originOf(url: string): string {
  return new URL(url).origin
}

function foreign(origin: string): GatewayError {
  return new GatewayError(
    'FORBIDDEN',
    `Web pages of ${JSON.stringify(origin.slice(0, 200))} may not call this gateway. ` +
      "Its operator can name their origin in SIGNALBOX_ALLOWED_ORIGINS, or the gateway's own address in SIGNALBOX_PUBLIC_URL.",
    { source: 'caller' },
  )
}
