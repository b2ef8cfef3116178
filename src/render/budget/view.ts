import { applyFields } from '../../cards/fields.ts'
import type { Answer, Envelope } from '../../model/envelope.ts'
import { withWarnings } from '../../model/envelope.ts'
import type { Selection } from '../../model/subject.ts'
import { createWarning, type Warning } from '../../model/warnings.ts'
import type { Drop } from './drop.ts'

/** The whole answer, or a smaller version of it. */
export interface View {
  readonly envelope: Envelope
  readonly status: number
  /** The data with all members and the kept items of its list. Suggestions and summaries read it. */
  readonly shown: unknown
  readonly dropped: readonly Drop[]
  readonly truncated: boolean
  /** True when only the necessary parts fit. */
  readonly bare: boolean
  /** The budget that the smallest view takes, when that did not fit. */
  readonly needed?: number
  /** The whole failure that stands for a success of which not even the smallest view fits. */
  readonly instead?: Answer
}

/** The view with everything in it. */
export function wholeView(
  { envelope, status }: Answer,
  selection: Selection,
  warnings: readonly Warning[] = [],
): View {
  const shown = envelope.data
  const selected: Envelope =
    envelope.ok && selection !== 'all'
      ? { ...envelope, data: applyFields(shown, selection) }
      : envelope
  return {
    envelope: withWarnings(selected, warnings),
    status,
    shown,
    dropped: [],
    truncated: false,
    bare: false,
  }
}

/** Reports a cut in dialects that have no better place for it than their warnings. */
export function dropWarning({ path, kind, count, note, cursor }: Drop): Warning {
  const details = { kind, count, ...(cursor === undefined ? {} : { cursor }) }
  return createWarning('TRUNCATED', note, { path, details })
}
