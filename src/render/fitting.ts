import type { Answer } from '../model/envelope.ts'
import {
  budgetIn,
  type Knowledge,
  type Presentation,
  type Rendered,
  renderAnswer,
} from './render.ts'

/**
 * Writes the answers of a call. `fit` finds out what the caller will get before it is sent: the record of the call is written
 * earlier, and the answer may not fit the caller's budget.
 */
export interface Fitting {
  /** For `ExecuteRequest.fit`. */
  readonly fit: (answer: Answer) => Answer
  readonly render: (answer: Answer) => Rendered
}

export function createFitting(knowledge: Knowledge, presentation: Presentation): Fitting {
  const write = (answer: Answer) => renderAnswer(knowledge, answer, presentation)
  if (budgetIn(presentation) === null) return { fit: answer => answer, render: write }
  // An answer that has to be cut is written many times over, so keep the result for `render`.
  const written = new WeakMap<Answer, Rendered>()
  return {
    fit: answer => {
      // A failure that is cut keeps its code and its status.
      if (!answer.envelope.ok) return answer
      const rendered = write(answer)
      written.set(answer, rendered)
      return rendered.told.envelope.ok ? answer : rendered.told
    },
    render: answer => written.get(answer) ?? write(answer),
  }
}
