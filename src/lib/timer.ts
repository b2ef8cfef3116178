/** The longest time of a timer: Node fires one with more at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1
