const ENDING = ['SIGTERM', 'SIGINT'] as const

const leave = () => process.exit(0)
const ignore = () => {}

/**
 * Ends a process that is stopped before it serves anything: it has nothing to finish, and a supervisor must not count
 * that as a failure. SIGHUP asks for a reload, and a start reads everything anyway.
 */
export function leaveOnSignal(): void {
  for (const signal of ENDING) process.on(signal, leave)
  process.on('SIGHUP', ignore)
}

/** Leaves SIGTERM and SIGINT to other handlers. Install those first. */
export function stopLeaving(): void {
  for (const signal of ENDING) process.off(signal, leave)
}
