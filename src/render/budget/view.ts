import { applyFields } from '../../cards/fields.ts'
import type { Answer, Envelope } from '../../model/envelope.ts'
import { withWarnings } from '../../model/envelope.ts'
import type { Selection } from '../../model/subject.ts'
import { createWarning, type Warning } from '../../model/warnings.ts'
import type { Drop } from './drop.ts'

/** One way to tell an answer: all of it, or with something left out. */
export interface View {
  readonly envelope: Envelope
  readonly status: number
  /** The data before members were selected, as far as its list is told: what suggestions speak of. */
  readonly shown: unknown
  readonly dropped: readonly Drop[]
  readonly truncated: boolean
  /** Only the indispensable has room. */
  readonly bare: boolean
}

/** All of it. */
export function wholeView(
  { envelope, status }: Answer,
  selection: Selection,
  warnings: readonly Warning[] = [],
): View {
  const shown = envelope.data
  const told: Envelope = envelope.ok
    ? { ...envelope, data: applyFields(shown, selection) }
    : envelope
  return {
    envelope: withWarnings(told, warnings),
    status,
    shown,
    dropped: [],
    truncated: false,
    bare: false,
  }
}

/** For dialects that tell what is missing among their warnings. */
export function dropWarning({ path, kind, count, note, cursor }: Drop): Warning {
  const details = { kind, count, ...(cursor === undefined ? {} : { cursor }) }
  return createWarning('TRUNCATED', note, { path, details })
}
