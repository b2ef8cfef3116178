/** The requests of the load. `{owner}` and `{name}` become those of another repository in each. */
export interface Call {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const INPUT = JSON.stringify({ owner: '{owner}', name: '{name}' })

/** A call of a capability, on the given route or with all of them. */
export function capabilityCall(id: string, route: 'rest' | null = 'rest'): Call {
  const query = route === null ? '' : `?route=${route}`
  return { path: `/v1/capabilities/${id}${query}`, body: INPUT }
}

/** A read of the card that stays as it is, with a part of its answer. */
export const UNCHANGED_READ = {
  call: capabilityCall('bench.repository'),
  expected: 'octo-org/hello-world',
}

/** The text of a request, with the values of one repository. */
export function toRequest({ path, headers = {}, body }: Call, index: number): Buffer {
  const filled = body
    .replaceAll('{owner}', `owner-${index % 100}`)
    .replaceAll('{name}', `repository-${index}`)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'accept: application/json',
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(filled)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${filled}`)
}
