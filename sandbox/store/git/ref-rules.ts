import { Refusal } from '../refusal.ts'
import { missingFrom } from './history.ts'
import type { Ref } from './nodes.ts'
import type { Oid } from './objects.ts'
import type { GitRepository } from './repository.ts'

/** The rules that both APIs check before they change a ref. */
export function requireObject({ objects }: GitRepository, oid: Oid): void {
  if (!objects.get(oid)) throw new Refusal('unprocessable', 'Object does not exist')
}

export function requireFastForward({ objects }: GitRepository, ref: Ref, oid: Oid): void {
  if (missingFrom(objects, oid, ref.oid).length === 0) return
  throw new Refusal('unprocessable', 'Update is not a fast forward')
}

export function requireDeletable({ name, repository }: Ref): void {
  if (name !== `refs/heads/${repository.defaultBranch}`) return
  throw new Refusal('unprocessable', 'Cannot delete the default branch')
}
