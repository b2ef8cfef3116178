import { createHash } from 'node:crypto'
import { may } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { Secret } from '../store/secrets.ts'
import { requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, RestError, validationFailed } from './errors.ts'
import { pagedIn } from './paging.ts'
import { requireActor } from './workflows.ts'

const place = '/repos/:owner/:repo/actions/secrets'

export const secretRoutes: RouteTable = {
  [`GET ${place}`]: call =>
    pagedIn(call, 'secrets', call.store.secrets.of(keeperOf(call)), secretJson),
  [`GET ${place}/public-key`]: call => ok(keyOf(keeperOf(call))),
  [`GET ${place}/:name`]: getSecret,
  [`PUT ${place}/:name`]: setSecret,
  [`DELETE ${place}/:name`]: deleteSecret,
}

/** The repository in the path. Refuses callers who may not push to it. */
export function keeperOf(call: RestCall): Repository {
  const repository = repositoryOf(call)
  if (may(call.principal, 'write', repository)) return repository
  throw new RestError(403, 'Resource not accessible by integration')
}

function secretJson({ name, createdAt, updatedAt }: Secret) {
  return { name, created_at: createdAt, updated_at: updatedAt }
}

/** The public key for callers. There is no private key: the sandbox never decrypts a secret. */
function keyOf({ nodeId }: Repository) {
  const bytes = createHash('sha256').update(nodeId).digest()
  return { key_id: String(bytes.readUInt32BE()), key: bytes.toString('base64') }
}

function getSecret(call: RestCall): Answer {
  const name = call.params.name?.toUpperCase()
  const secret = call.store.secrets.of(keeperOf(call)).find(it => it.name === name)
  if (!secret) throw notFound()
  return ok(secretJson(secret))
}

function setSecret(call: RestCall): Answer {
  const repository = keeperOf(call)
  requireActor(call, repository)
  const { name = '' } = call.params
  const value = requiredText(call.body, 'encrypted_value')
  if (requiredText(call.body, 'key_id') !== keyOf(repository).key_id) {
    throw validationFailed({ resource: 'Secret', field: 'key_id', code: 'invalid' })
  }
  const isNew = call.store.secrets.set(repository, name, value)
  return isNew ? { status: 201, body: {} } : noContent()
}

function deleteSecret(call: RestCall): Answer {
  const repository = keeperOf(call)
  requireActor(call, repository)
  if (!call.store.secrets.delete(repository, call.params.name ?? '')) throw notFound()
  return noContent()
}
