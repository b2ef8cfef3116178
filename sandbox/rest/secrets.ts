import { createHash } from 'node:crypto'
import { may, requireWrite } from '../store/access.ts'
import type { Repository } from '../store/entities.ts'
import type { Secret } from '../store/secrets.ts'
import { requiredText } from './body.ts'
import { type Answer, noContent, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { notFound, RestError, validationFailed } from './errors.ts'
import { pagedIn } from './paging.ts'

const base = '/repos/:owner/:repo/actions/secrets'

export const secretRoutes: RouteTable = {
  [`GET ${base}`]: call =>
    pagedIn(call, 'secrets', call.store.secrets.of(writableRepositoryOf(call)), secretJson),
  [`GET ${base}/public-key`]: call => ok(keyOf(writableRepositoryOf(call))),
  [`GET ${base}/:name`]: getSecret,
  [`PUT ${base}/:name`]: setSecret,
  [`DELETE ${base}/:name`]: deleteSecret,
}

/** The repository in the path. Refuses callers who may not push to it. */
export function writableRepositoryOf(call: RestCall): Repository {
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
  const secret = call.store.secrets.find(writableRepositoryOf(call), call.params.name ?? '')
  if (!secret) throw notFound()
  return ok(secretJson(secret))
}

function setSecret(call: RestCall): Answer {
  const repository = writableRepositoryOf(call)
  requireWrite(call.principal, repository)
  const { name = '' } = call.params
  const value = requiredText(call.body, 'encrypted_value')
  if (requiredText(call.body, 'key_id') !== keyOf(repository).key_id) {
    throw validationFailed({ resource: 'Secret', field: 'key_id', code: 'invalid' })
  }
  const isNew = call.store.secrets.set(repository, name, value)
  return isNew ? { status: 201, body: {} } : noContent()
}

function deleteSecret(call: RestCall): Answer {
  const repository = writableRepositoryOf(call)
  requireWrite(call.principal, repository)
  if (!call.store.secrets.delete(repository, call.params.name ?? '')) throw notFound()
  return noContent()
}
