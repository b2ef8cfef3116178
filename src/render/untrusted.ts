import { randomInt } from 'node:crypto'
import type { Door } from '../model/door.ts'
import type { Answer, Envelope } from '../model/envelope.ts'
import { placesWithText } from '../model/texts.ts'
import type { View } from './budget/view.ts'
import type { Profile } from './profiles/profile.ts'

/** The view, naming only the places whose text it still has. */
export function withTrueMarks<T extends View>(view: T, { envelope }: Answer): T {
  const { data, meta } = view.envelope
  if (meta.untrusted === undefined || data === envelope.data) return view
  const { untrusted, ...others } = meta
  const places = placesWithText(untrusted, data)
  if (places.length === untrusted.length) return view
  const left = places.length === 0 ? others : { ...others, untrusted: places }
  return { ...view, envelope: { ...view.envelope, meta: left } as Envelope }
}

const NONE: readonly string[] = []

/** Where texts of others were left out. */
export function hiddenPlaces({ warnings }: Envelope['meta']): readonly string[] {
  if (warnings.length === 0) return NONE
  const warning = warnings.find(({ code }) => code === 'TEXT_HIDDEN')
  return (warning?.details?.paths ?? []) as readonly string[]
}

/** Three digits are one token. */
const DIGITS = 3
/** A text can hold every short number. */
const TRIES = 20
const MOST_DIGITS = 14

/**
 * The number that a model finds before and after data in which others have written. It is new for each answer, and data does not
 * contain it, so no text can pretend to end before its end.
 */
export function fenceFor(
  { envelope }: Answer,
  { untrusted }: Profile,
  { kind }: Door,
): number | null {
  const isForModel = kind === 'mcp' || kind === 'mcp_search'
  if (!isForModel || untrusted !== 'fence' || envelope.meta.untrusted === undefined) return null
  const text = JSON.stringify(envelope.data)
  for (let tries = 0; ; tries++) {
    const digits = Math.min(DIGITS + Math.floor(tries / TRIES), MOST_DIGITS)
    const mark = randomInt(10 ** (digits - 1), 10 ** digits)
    if (!text.includes(String(mark))) return mark
  }
}
