import { type Shelf, storageUrl } from '../storage.ts'
import type { Answer, RestCall } from './call.ts'

/** Files are not part of the API: it redirects to the storage, with an address valid for a minute. */
export function redirectToStorage({ origin }: RestCall, shelf: Shelf, id: string): Answer {
  return { status: 302, headers: { location: storageUrl(origin, shelf, id, Date.now()) } }
}
