/** The dialects of the envelope, by the name that callers choose them by. */
export const PROFILE_NAMES = [
  'default',
  'ghx',
  'compact',
  'codegraph',
  'dotbot',
  'budgeted',
  'problem',
] as const
export type ProfileName = (typeof PROFILE_NAMES)[number]
