import type { JsonObject } from '../json.ts'
import { canSee } from '../store/access.ts'
import type { Issue, IssueOrPull, PullRequest, Repository, User } from '../store/entities.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from '../store/tokens.ts'
import { notFound } from './errors.ts'

/** One authenticated REST request, as a route handler sees it. */
export interface RestCall {
  readonly store: Store
  readonly principal: Principal
  readonly viewer: User
  /** The scheme and host of the request, e.g. `http://127.0.0.1:8081`. */
  readonly origin: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
  /** The bytes of an uploaded file; empty for other requests. */
  readonly raw: Buffer
  readonly contentType: string
  /** The format that `Accept` asks for instead of JSON, e.g. `diff`, if the endpoint offers it. */
  readonly media: string | null
}

export interface Answer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** `METHOD /path/with/:params` → handler. Handlers are synchronous, so each runs as one step. */
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

/** The repository in the path. Answers 404 if the caller may not see it. */
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

/** The issue or pull request in the path, after a check of the caller's rights. */
export function itemFor(
  call: RestCall,
  requireRight: (principal: Principal, repository: Repository) => void,
): IssueOrPull {
  const item = itemOf(call)
  requireRight(call.principal, item.repository)
  return item
}

export function issueOf(call: RestCall): Issue {
  const item = itemOf(call)
  if (item.kind !== 'Issue') throw notFound()
  return item
}

export function pullOf(call: RestCall): PullRequest {
  const item = itemOf(call)
  if (item.kind !== 'PullRequest') throw notFound()
  return item
}

export function numberIn(text: string | undefined): number {
  return /^\d+$/.test(text ?? '') ? Number(text) : Number.NaN
}
