import { LOCAL } from './local.ts'
import { NETWORK } from './network.ts'
import type { PhraseGroup } from './phrase.ts'
import { SERVICE } from './service.ts'

/** The one table of phrases, for messages without a status and a machine code. docs/errors.md counts them. */
export const PHRASES: readonly PhraseGroup[] = [...LOCAL, ...NETWORK, ...SERVICE]
