import type { Answer } from '../../model/envelope.ts'
import type { Selection, Subject } from '../../model/subject.ts'
import { BUDGET_LIMITS, type Budget, holds, neededFor, ROOM_FOR_NUMBERS } from './budget.ts'
import { Cuttable } from './cut.ts'
import type { Drop } from './drop.ts'
import { bareFailure, leanFailure, tooLarge } from './failure.ts'
import { largestThatFits } from './search.ts'
import { SHORTEST_CUT } from './texts.ts'
import { type View, wholeView } from './view.ts'

/** Lengths of names in a failure that hardly fits: a whole ULID, or nothing. */
const NAME_LENGTHS = [26, 0]

/**
 * Characters for each token of a budget. Data with more does not fit, even in a dialect that writes it in half the room.
 * A search for how to cut its texts would write megabytes dozens of times.
 */
const HOPELESS = 8

/** The body of a view, as it would be sent. */
type Write = (view: View) => string

interface Fitting {
  readonly answer: Answer
  readonly subject: Subject
  readonly selection: Selection
  readonly budget: Budget
  readonly write: Write
}

/**
 * The largest view of an answer that fits the budget, measured on the body to send. Cuts the list first, then
 * shortens texts; if that is not enough, returns an error that fits.
 */
export function fitBudget(fitting: Fitting): View {
  const { answer, selection, budget } = fitting
  const whole = wholeView(answer, selection, budget.warnings)
  if (fits(fitting, whole)) return whole
  return fitSuccess(fitting) ?? fitFailure(fitting, whole)
}

/** Null for a failure. */
function fitSuccess(fitting: Fitting): View | null {
  const { answer, subject, selection, budget } = fitting
  const { envelope, status } = answer
  if (!envelope.ok) return null
  const cuttable = new Cuttable(envelope, { status, subject }, selection, budget.warnings)
  const items = largestThatFits(1, cuttable.length - 1, number =>
    fits(fitting, cuttable.view({ items: number, longest: null })),
  )
  if (items !== null) return cuttable.view({ items, longest: null })
  const hopeless = HOPELESS * budget.tokens
  for (const fewest of cuttable.fewest) {
    if (cuttable.leastSize(fewest, hopeless) > hopeless) continue
    const most = Math.max(SHORTEST_CUT, cuttable.longestText(fewest))
    const longest = largestThatFits(SHORTEST_CUT, most, number =>
      fits(fitting, cuttable.view({ items: fewest, longest: number })),
    )
    if (longest !== null) return cuttable.view({ items: fewest, longest })
  }
  const smallest = cuttable.view({ items: cuttable.fewest.at(-1) ?? null, longest: SHORTEST_CUT })
  return answerTooLarge(fitting, neededFor(fitting.write(smallest)) + ROOM_FOR_NUMBERS)
}

function answerTooLarge(fitting: Fitting, needed: number): View {
  const { answer, subject, budget } = fitting
  const error = tooLarge(answer, subject, budget.tokens, needed)
  const view = {
    ...wholeView(error, 'all', budget.warnings),
    dropped: [nothingLeft(needed)],
    truncated: true,
    needed,
    instead: error,
  }
  return fits(fitting, view) ? view : fitFailure(fitting, view)
}

/** Even the data is missing. */
function nothingLeft(needed: number): Drop {
  return {
    path: 'data',
    kind: 'data',
    count: 1,
    note:
      needed > BUDGET_LIMITS.max ? 'Select less with fields.' : `token_budget ${needed} would do.`,
  }
}

function fitFailure(fitting: Fitting, whole: View): View {
  const length = whole.envelope.error?.message.length ?? 0
  const lean = largestThatFits(Math.min(SHORTEST_CUT, length), length, longest =>
    fits(fitting, leanFailure(whole, longest)),
  )
  if (lean !== null) return leanFailure(whole, lean)
  for (const names of NAME_LENGTHS) {
    const bare = largestThatFits(0, length, longest =>
      fits(fitting, bareFailure(whole, longest, names)),
    )
    if (bare !== null) return bareFailure(whole, bare, names)
  }
  return bareFailure(whole, 0, 0)
}

function fits({ budget, write }: Fitting, view: View): boolean {
  return holds(budget, write(view))
}
