import { onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'

export const HELLO = '/repos/octo-org/hello-world'

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON. Missing members are undefined. */
  json: Json
}

/** A type that allows `json.repository.issues.nodes[0].title` in tests. */
export type Json = { readonly [key: string]: Json } & { readonly [index: number]: Json } & {
  map<T>(read: (entry: Json) => T): T[]
  length: number
  toUpperCase(): string
}

export interface Client {
  readonly sandbox: Sandbox
  readonly rest: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>
  readonly graphql: (query: string, variables?: Record<string, unknown>) => Promise<Reply>
}

/** Starts a sandbox that closes with the test, and a client that calls it over a real socket. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Client> {
  const sandbox = await createSandbox(options)
  onTestFinished(sandbox.close)
  return { sandbox, ...clientOf(sandbox.url) }
}

export function clientOf(url: string, token = 'sandbox-token'): Omit<Client, 'sandbox'> {
  const rest: Client['rest'] = async (method, path, body, headers) => {
    const response = await fetch(path.startsWith('http') ? path : url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }
  return {
    rest,
    graphql: (query, variables) => rest('POST', '/graphql', { query, variables }),
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return {} as Json
  }
}
