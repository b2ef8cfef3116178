import type { Signal } from '../lib/signal.ts'
import type { Lacking } from '../model/credential.ts'
import type { Environment } from '../model/environment.ts'

/** Gives a secret, again and again: it may change. */
export interface Source {
  /** Null when it has a value, or may have one. The fix is an instruction without a full stop. */
  readonly lacking: Lacking | null
  /** In words that it has a value: `GITHUB_TOKEN is set`. */
  readonly found: string
  /**
   * Synchronous when nothing needs to be read.
   * @throws {CredentialError} when there is no value, or the signal's reason when time is up.
   */
  get(signal: Signal): string | Promise<string>
  /** Another value after a service has refused this one; null when there is none. */
  renew(refused: string, signal: Signal): Promise<string | null>
  close(): void
}

/** Takes each value that a source gives, so that it is known wherever texts are redacted. */
export type Remember = (secret: string) => void

/** Everything a source may need from outside. */
export interface SourceOptions {
  readonly env: Environment
  readonly now: () => number
  /** Directory of the file that declares the source; relative paths start there. */
  readonly directory: string
  readonly remember: Remember
}
