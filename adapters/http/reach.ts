import type { Signal } from '../../src/lib/signal.ts'
import { version } from '../../src/lib/version.ts'
import type { Reachability } from '../../src/model/adapter.ts'
import { breakFailure } from './judge/failure.ts'
import type { HttpClient } from './wire/client.ts'

/** Any answer will do. Sends no header of the upstream, and not its path: each may hold a credential. */
export async function reach(
  client: HttpClient,
  upstream: string,
  signal: Signal,
): Promise<Reachability> {
  const headers = ['user-agent', `signalbox/${version}`]
  const result = await client.send({ method: 'HEAD', path: '/', headers, body: null }, signal)
  if (result.ok || result.status !== null) return { ok: true, status: result.status }
  const { message, details } = breakFailure(result, upstream, 0)
  const code = details.network_code
  return { ok: false, message, code: typeof code === 'string' ? code : null }
}
