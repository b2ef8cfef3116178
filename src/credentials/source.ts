import type { Signal } from '../lib/signal.ts'
import type { PlainRequest, PlainResult } from '../model/adapter.ts'
import type { Lacking, Standing } from '../model/credential.ts'
import type { Environment } from '../model/environment.ts'

/** Gives a secret, again and again: it may change. */
export interface Source {
  /** Null when it has a value, or may have one. The fix is an instruction without a full stop. */
  readonly lacking: Lacking | null
  /** In words that it has a value: `GITHUB_TOKEN is set`. */
  readonly found: string
  /** Whether it is a file, which costs nothing to try. @default false */
  readonly isFile?: true
  /**
   * Synchronous when nothing needs to be read.
   * @throws {CredentialError} when there is no value, or the signal's reason when time is up.
   */
  get(signal: Signal): string | Promise<string>
  /** Another value after a service has refused this one; null when there is none. */
  renew(refused: string, signal: Signal): Promise<string | null>
  /** Absent for a secret that nobody issues. */
  standing?(): Standing
  /** Finds out more than a call would, and says it in words. @default gets a value */
  examine?(signal: Signal): Promise<readonly string[]>
  /** The source for one account of the service, where each has a secret of its own. */
  readonly ofAccount?: (account: string) => Source
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
  /** The id of the identity whose secret it is. */
  readonly identity: string
  /** The service's own API; null when the upstream has none. */
  readonly api: ServiceApi | null
}

/** Asks the service itself, with the connection settings of its `rest` section and without any credential. */
export interface ServiceApi {
  readonly origin: string
  ask(request: PlainRequest, signal: Signal): Promise<PlainResult>
}
