import { parseJson } from '../lib/exact-json.ts'
import type { Answer } from '../model/envelope.ts'

/** A claim to an Idempotency-Key. The key belongs to one caller and one capability, and is bound to one input and one credential. */
export interface Claim {
  readonly caller: string
  readonly capability: string
  readonly key: string
  /** Equal for equal inputs with one credential for the upstream. */
  readonly fingerprint: string
  /** Epoch milliseconds. */
  readonly time: number
}

export type Claimed =
  /** The key is unused: send the request, then complete or release the claim. */
  | { readonly kind: 'new' }
  | { readonly kind: 'done'; readonly answer: Answer }
  /** The request that holds the key began at `time`, and has no answer yet. */
  | { readonly kind: 'running'; readonly time: number }
  /** The request that holds the key began at `time`, and was for another input or credential. */
  | { readonly kind: 'mismatch'; readonly time: number }
  /** A gateway died with this request in flight, which began at `time`. The claim is now the caller's. */
  | { readonly kind: 'interrupted'; readonly time: number }

/** Remembers the answer to each Idempotency-Key, across restarts. */
export interface IdempotencyStore {
  /** Rejects if the store cannot find out whether the key was used. */
  claim(claim: Claim): Claimed | Promise<Claimed>
  /** Whether no other process can have taken over a claim of this one. Needs no answer of the store. */
  holds(claim: Claim): boolean
  /** Stores the answer: a repeat of the request gets it. */
  complete(claim: Claim, answer: Answer): void | Promise<void>
  /** Frees the key because nothing was applied: a repeat of the request is sent. */
  release(claim: Claim): void | Promise<void>
  /** Undoes a claim that succeeded after its caller had stopped waiting: the next claim finds the key as it was. */
  undo(claim: Claim, claimed: Claimed): void | Promise<void>
  close(): void | Promise<void>
}

export const KEY_KEPT_MS = 24 * 60 * 60 * 1000

/** A key as databases store it. */
export interface StoredKey {
  readonly fingerprint: string
  readonly owner: string
  readonly time: number
  /** JSON; null until the request is answered. */
  readonly answer: string | null
}

/** Judges a stored key for a new claim. @param alive whether the owner may still be running the request. */
export function claimStored(
  { fingerprint, answer, time }: StoredKey,
  claim: Claim,
  alive: boolean,
): Exclude<Claimed, { kind: 'new' }> {
  if (fingerprint !== claim.fingerprint) return { kind: 'mismatch', time }
  if (answer !== null) return { kind: 'done', answer: parseJson(answer) as Answer }
  // Keep the time of the interrupted request: the object that it created is older than the repeat.
  return { kind: alive ? 'running' : 'interrupted', time }
}
