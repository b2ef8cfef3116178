/** The parts of what the gateway has learned of an upstream that a reset can drop. */
export const RESET_PARTS = ['quota', 'circuit'] as const
export type ResetPart = (typeof RESET_PARTS)[number]

/** Result of a reset. */
export interface Forgotten {
  /** Names of the pools that were known, such as `github:core`. */
  readonly quotas: readonly string[]
  /** Keys of the circuits that were open, or had counted failures, such as `github:rest`. */
  readonly circuits: readonly string[]
}
