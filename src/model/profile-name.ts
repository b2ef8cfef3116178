/** The names by which callers choose a dialect of the envelope. */
export const PROFILE_NAMES = [
  'default',
  'brief',
  'ghx',
  'compact',
  'codegraph',
  'dotbot',
  'budgeted',
  'problem',
] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]
