import type { Attempt } from './envelope.ts'

type Counted = Pick<Attempt, 'status'> & { readonly purpose?: Attempt['purpose'] | null }

/**
 * The number of attempts of a request, as every door and page shows it: the calls that it made itself to serve the call. Routes
 * that it skipped, reads that checked on a write, and the attempts of another request whose answer it took are none.
 * @param borrowed whether the attempts are those of another request
 */
export function countAttempts(attempts: readonly Counted[], borrowed: boolean): number {
  if (borrowed) return 0
  let count = 0
  for (const { status, purpose } of attempts) if (status !== 'skipped' && purpose == null) count++
  return count
}
