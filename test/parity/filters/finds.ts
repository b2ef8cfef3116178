import type { Seed } from '../../../sandbox/index.ts'
import type { Data, Input, ParityCase } from '../case.ts'

type More = Partial<Pick<ParityCase, 'title' | 'except' | 'given'>>

/** Makes cases of one list: what a filter finds, in order, and the filters that every route refuses. */
export function listCases(base: Input, given: Seed, show: (item: Data) => unknown) {
  return {
    finds: (input: Input, see: readonly unknown[], more: More = {}): ParityCase => ({
      input: { ...base, ...input },
      given,
      answers: { look: data => data.items.map(show), see },
      ...more,
    }),
    refuses: (input: Input, title?: string): ParityCase => ({
      input: { ...base, ...input },
      given,
      fails: 'VALIDATION',
      ...(title !== undefined && { title }),
    }),
  }
}
