import type { Column } from '../columns.ts'
import type { Condition, Source } from './search.ts'

/** A condition whose rows these sources have, and no other rows. */
export function by(condition: Condition, sources: readonly Source[]): Condition {
  return { ...condition, sources, exact: true }
}

export function check(text: string, ...values: Column[]): Condition {
  return { text, values, sources: [] }
}

export function given<T>(value: T | undefined, toCondition: (value: T) => Condition): Condition[] {
  return value === undefined ? [] : [toCondition(value)]
}
