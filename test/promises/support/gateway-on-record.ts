import { expect } from 'vitest'
import type { GatewayProcess } from '../../support/process.ts'

/** Makes a call, and returns its request id. */
export async function view({ url }: GatewayProcess): Promise<string> {
  const response = await fetch(`${url}/v1/capabilities/repo.view?route=rest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ owner: 'octo-org', name: 'hello-world' }),
  })
  const { ok, meta } = (await response.json()) as { ok: boolean; meta: { request_id: string } }
  expect(ok).toBe(true)
  return meta.request_id
}

/** Makes calls, one after the other. */
export async function viewMany(gateway: GatewayProcess, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await view(gateway))
  return ids
}

/** The ids that the journal does not have. */
export async function missingFrom({ url }: GatewayProcess, ids: readonly string[]) {
  const missing: string[] = []
  for (const id of ids) {
    const { status } = await fetch(`${url}/v1/requests/${id}`)
    if (status !== 200) missing.push(id)
  }
  return missing
}

export async function readiness({ url }: GatewayProcess): Promise<string> {
  const { data } = (await (await fetch(`${url}/readyz`)).json()) as { data: { status: string } }
  return data.status
}

/** How many records the log calls lost. */
export function lostBy(gateway: GatewayProcess): number {
  const [, count = '0'] = /the journal has lost (\d+) records/.exec(gateway.output()) ?? []
  return Number(count)
}
