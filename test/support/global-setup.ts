import { parts } from './parts.ts'

/** Says once, before the tests, which optional parts this machine lacks; under CI that is a failure. */
export default function setup(): void {
  const missing = parts.filter(part => !part.available)
  for (const { name, tests, install } of missing) {
    process.stdout.write(`skipped for lack of ${name}: ${tests} (to run them: ${install})\n`)
  }
  if (process.env.CI && missing.length > 0) {
    throw new Error(
      `CI must have every optional part: ${missing.map(part => part.name).join(', ')}`,
    )
  }
}
