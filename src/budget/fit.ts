import type { Answer } from '../envelope.ts'
import type { Selection } from '../fields.ts'
import type { Subject } from '../subject.ts'
import { type Budget, estimateTokens, holds } from './budget.ts'
import { Cuttable } from './cut.ts'
import { bareFailure, leanFailure, tooLarge } from './failure.ts'
import { largestThatFits } from './search.ts'
import { SHORTEST_CUT } from './texts.ts'
import { type View, wholeView } from './view.ts'

/** Writes an answer as it would be sent. */
type Write = (view: View) => string

interface Fitting {
  readonly answer: Answer
  readonly subject: Subject
  readonly selection: Selection
  readonly budget: Budget
  readonly write: Write
}

/**
 * The largest telling of an answer that holds its budget, measured on what is sent: first the list is
 * cut, then texts are shortened; when not even that is enough, the answer is an error that is.
 */
export function fitBudget(fitting: Fitting): View {
  const { answer, selection, budget } = fitting
  const whole = wholeView(answer, selection, budget.warnings)
  if (fits(fitting, whole)) return whole
  return fitSuccess(fitting) ?? fitFailure(fitting, whole)
}

/** Null when it is no success, or has nothing that could be cut enough. */
function fitSuccess(fitting: Fitting): View | null {
  const { answer, subject, selection, budget, write } = fitting
  const { envelope, status } = answer
  if (!envelope.ok) return null
  const cuttable = new Cuttable(envelope, { status, subject }, selection, budget.warnings)
  const items = largestThatFits(1, cuttable.length - 1, number =>
    fits(fitting, cuttable.view({ items: number, longest: null })),
  )
  if (items !== null) return cuttable.view({ items, longest: null })
  // One item has to stay: a cursor that went on at the same place would go on for ever.
  const least = cuttable.length > 1 ? 1 : null
  const longest = largestThatFits(SHORTEST_CUT, cuttable.longestText(least) - 1, number =>
    fits(fitting, cuttable.view({ items: least, longest: number })),
  )
  if (longest !== null) return cuttable.view({ items: least, longest })
  const smallest = write(cuttable.view({ items: least, longest: SHORTEST_CUT }))
  const error = tooLarge(answer, subject, budget.tokens, estimateTokens(smallest))
  const told = { ...wholeView(error, 'all', budget.warnings), truncated: true }
  return fits(fitting, told) ? told : fitFailure(fitting, told)
}

function fitFailure(fitting: Fitting, whole: View): View {
  const length = whole.envelope.error?.message.length ?? 0
  const lean = largestThatFits(Math.min(SHORTEST_CUT, length), length, longest =>
    fits(fitting, leanFailure(whole, longest)),
  )
  if (lean !== null) return leanFailure(whole, lean)
  const bare = largestThatFits(0, length, longest => fits(fitting, bareFailure(whole, longest)))
  return bareFailure(whole, bare ?? 0)
}

function fits({ budget, write }: Fitting, view: View): boolean {
  return holds(budget, write(view))
}
