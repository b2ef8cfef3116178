import type { JsonObject } from '../json.ts'
import { canSee } from '../store/access.ts'
import type { IssueOrPull, Repository, User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from '../store/tokens.ts'
import { notFound } from './errors.ts'

/** One authenticated REST request, as a route handler sees it. */
export interface RestCall {
  readonly store: Store
  readonly principal: Principal
  readonly viewer: User
  /** Scheme and host that the caller used, e.g. `http://127.0.0.1:8081`. */
  readonly origin: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  /** The body as it came, where a file is uploaded; empty elsewhere. */
  readonly raw: Buffer
  readonly contentType: string
  /** What `Accept` asks for in place of JSON, e.g. `diff`; only where an endpoint offers it. */
  readonly media: string | null
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** `METHOD /path/with/:params` → what answers it. Handlers are synchronous: each is one step. */
export type RouteTable = Readonly<Record<`${Method} /${string}`, (call: RestCall) => Answer>>

export function ok(body: unknown): Answer {
  return { status: 200, body }
}

export function created(body: unknown, location?: string): Answer {
  return { status: 201, body, ...(location && { headers: { location } }) }
}

export function noContent(): Answer {
  return { status: 204 }
}

/** The repository in the path; one that the caller may not see does not exist. */
export function repositoryOf({ store, principal, params }: RestCall): Repository {
  const repository = store.repositories.find(params.owner ?? '', params.repo ?? '')
  if (!repository || !canSee(principal, repository)) throw notFound()
  return repository
}

/** The issue or pull request in the path. */
export function itemOf(call: RestCall): IssueOrPull {
  const item = repositoryOf(call).items.get(numberIn(call.params.number))
  if (!item) throw notFound()
  return item
}

export function numberIn(text: string | undefined): number {
  return /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN
}
