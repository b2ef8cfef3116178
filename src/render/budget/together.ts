/** Answers that share one budget: the calls of a batch. */
import { BUDGET_LIMITS, type Budget, holds, neededFor, ROOM_FOR_NUMBERS } from './budget.ts'
import { largestThatFits } from './search.ts'

/** A written answer. */
export interface Written {
  readonly body: string
  /** The budget that the smallest honest form takes, if that did not fit. */
  readonly needed: number | null
}

/** Writes one of the answers. @param most the most tokens that it may take; null: no more limits than its own */
export type WritePart<T extends Written> = (most: number | null) => T

export interface Sharing<T extends Written> {
  readonly parts: readonly WritePart<T>[]
  /** The text of the whole, as it would be sent. */
  readonly write: (parts: readonly T[]) => string
}

/**
 * Divides a budget among answers: those that are small stay whole, the others get equal shares of the rest. None is cut
 * below what it can say honestly.
 * @returns the smallest budget that would do, if this one does not
 */
export function fitTogether<T extends Written>(
  sharing: Sharing<T>,
  budget: Budget,
): { readonly parts: readonly T[] } | { readonly needed: number } {
  const whole = sharing.parts.map(write => write(null))
  if (holds(budget, sharing.write(whole))) return { parts: whole }
  const sizes = whole.map(({ body }) => neededFor(body))
  const around = Math.max(0, neededFor(sharing.write(whole)) - sum(sizes))
  const floors = sizes.map(size => Math.min(size, BUDGET_LIMITS.min))
  const division = { ...sharing, whole, sizes, floors, around }
  const parts = divide(division, budget.tokens)
  return parts ? { parts } : { needed: leastBudget(division) }
}

interface Division<T extends Written> extends Sharing<T> {
  readonly whole: readonly T[]
  /** Tokens of each whole part. */
  readonly sizes: readonly number[]
  /** The least that each part takes. They rise when a part turns out to need more. */
  readonly floors: number[]
  /** Tokens of what stands around the parts. */
  readonly around: number
}

/** Null when not even the smallest parts fit. */
function divide<T extends Written>(division: Division<T>, budget: number): readonly T[] | null {
  const { sizes, floors, write, around } = division
  let room = budget - around
  for (;;) {
    const share = shareOf(sizes, floors, room)
    if (share === null) return null
    const parts = cut(division, share)
    if (raiseFloors(division, parts)) continue
    const over = neededFor(write(parts)) - budget
    if (over <= 0) return parts
    room -= over
  }
}

/** The largest share with which all parts take no more than the room. */
function shareOf(sizes: readonly number[], floors: readonly number[], room: number): number | null {
  const taken = (share: number) =>
    sum(sizes.map((size, at) => Math.max(floors[at] ?? 0, Math.min(size, share))))
  return largestThatFits(0, Math.max(...sizes), share => taken(share) <= room)
}

function cut<T extends Written>(
  { parts, whole, sizes, floors }: Division<T>,
  share: number,
): readonly T[] {
  return whole.map((one, at) => {
    const most = Math.max(share, floors[at] ?? 0)
    return (sizes[at] ?? 0) <= most ? one : (parts[at]?.(most) ?? one)
  })
}

function raiseFloors<T extends Written>(
  { sizes, floors }: Division<T>,
  parts: readonly T[],
): boolean {
  let isRaised = false
  for (const [at, { needed }] of parts.entries()) {
    const least = Math.min(sizes[at] ?? 0, needed ?? 0)
    if (least <= (floors[at] ?? 0)) continue
    floors[at] = least
    isRaised = true
  }
  return isRaised
}

function leastBudget<T extends Written>(division: Division<T>): number {
  while (raiseFloors(division, cut(division, 0)));
  let least = division.around + sum(division.floors)
  while (divide(division, least) === null) least += 1 + Math.ceil(least / 100)
  return least + (division.whole.length + 1) * ROOM_FOR_NUMBERS
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
