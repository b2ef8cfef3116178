import type { CallResult, TestGateway } from './gateway.ts'

/** Sends JSON to an endpoint of the gateway that is not a capability. */
export async function post(
  { url }: Pick<TestGateway, 'url'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<CallResult> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { status, headers: received } = response
  return { status, headers: received, body: (await response.json()) as CallResult['body'] }
}
