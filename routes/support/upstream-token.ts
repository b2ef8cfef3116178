import { GatewayError } from '../../src/model/errors.ts'

/** Reads `Bearer x`, `token x` or the bare token. Each adapter sends it in the form its upstream expects. */
export function readUpstreamToken(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const [, token] =
    /^(?:(?:Bearer|token)\s+)?([\x21-\x7e]{1,4096})$/i.exec(String(header).trim()) ?? []
  if (token) return token
  throw new GatewayError('VALIDATION', 'X-Upstream-Authorization must be "Bearer <token>".', {
    source: 'caller',
    details: {
      fields: [{ path: 'x-upstream-authorization', message: 'must be "Bearer <token>"' }],
    },
  })
}
