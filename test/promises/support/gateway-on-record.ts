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

/** As many as a page of the journal has at most. */
const PAGE = 200

/** The ids that the journal does not have among its newest requests. */
export async function missingFrom(
  { url }: { readonly url: string },
  ids: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const missing = new Set(ids)
  let after: string | null = ''
  while (missing.size > 0 && after !== null) {
    const cursor: string = after === '' ? '' : `&after=${after}`
    const answer: Response = await fetch(`${url}/v1/requests?limit=${PAGE}${cursor}`, { headers })
    const { data } = (await answer.json()) as { readonly data: Page }
    for (const { request_id } of data.items) missing.delete(request_id)
    after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : null
  }
  return [...missing]
}

interface Page {
  readonly items: readonly { readonly request_id: string }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

export async function readiness({ url }: GatewayProcess): Promise<string> {
  const { data } = (await (await fetch(`${url}/readyz`)).json()) as { data: { status: string } }
  return data.status
}

/** How many records the log calls lost. */
export function lostBy(gateway: GatewayProcess): number {
  const [, count = '0'] = /the journal has lost (\d+) record/.exec(gateway.output()) ?? []
  return Number(count)
}
