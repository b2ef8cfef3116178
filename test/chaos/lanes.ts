import * as fc from 'fast-check'
import { findViolations } from './checks.ts'
import { openPlace, type Place, type PlaceOptions } from './place.ts'
import { perform } from './run.ts'
import { ATTEMPT_MS, type Flavour, type Schedule, schedules } from './schedule.ts'
import { Tally } from './tally.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly runs: number
  /** Whether `gh` is installed. */
  readonly cli: boolean
  /** Number of ordinary lanes. Each lane has a sandbox and a gateway, and all lanes run concurrently. */
  readonly lanes: number
}

/** A schedule with violations, shortened as far as possible in reasonable time. */
export interface Finding {
  readonly seed: number
  readonly path: string
  readonly schedule: Schedule
  readonly violations: readonly string[]
}

export interface ChaosResult {
  readonly runs: number
  readonly findings: readonly Finding[]
  readonly tally: Tally
}

interface Lane extends PlaceOptions, Flavour {
  readonly seed: number
  readonly runs: number
}

/** Only a small part of the runs kill the gateway or use `gh`, because both are slow. */
const KILL_SHARE = 0.01
const CLI_SHARE = 0.02

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const tally = new Tally()
  const lanes = planLanes(options)
  // Open all lanes before any starts: opening one delays the others.
  await using open = new AsyncDisposableStack()
  const places: Place[] = []
  for (const lane of lanes) places.push(open.use(await openPlace(lane)))
  const findings = await Promise.all(
    lanes.map((lane, index) => runLane(lane, places[index] as Place, tally)),
  )
  return { runs: options.runs, findings: findings.flat(), tally }
}

const HTTP = {
  killable: false,
  cli: false,
  attemptMs: ATTEMPT_MS,
  kills: false,
  pins: ['rest', 'graphql'],
  pinOdds: 1 / 4,
  leastTimeoutMs: 300,
} as const satisfies PlaceOptions & Flavour
const KILLED = { ...HTTP, killable: true, kills: true, leastTimeoutMs: 800 }
const BY_CLI = {
  ...HTTP,
  cli: true,
  attemptMs: 600,
  pins: ['cli'],
  pinOdds: 2,
  leastTimeoutMs: 900,
} as const

/** Distributes the runs over lanes. Equal options give equal schedules. */
function planLanes({ seed, runs, cli, lanes }: ChaosOptions): Lane[] {
  const kills = Math.ceil(runs * KILL_SHARE)
  const byCli = cli ? Math.ceil(runs * CLI_SHARE) : 0
  const others = Array.from({ length: lanes }, (_, index) => ({
    ...HTTP,
    runs: Math.floor((runs - kills - byCli + index) / lanes),
  }))
  return [{ ...KILLED, runs: kills }, { ...BY_CLI, runs: byCli }, ...others]
    .map((lane, index) => ({ ...lane, seed: seed + index }))
    .filter(lane => lane.runs > 0)
}

/** A broken gateway would report thousands. */
const MOST_FINDINGS = 3

async function runLane(lane: Lane, place: Place, tally: Tally): Promise<Finding[]> {
  const findings: Finding[] = []
  for (let done = 0; done < lane.runs; ) {
    const { counterexample, ...details } = await check(place, lane, lane.runs - done, done, tally)
    done += details.numRuns
    if (!details.failed) break
    if (!counterexample) throw details.errorInstance
    const [schedule] = counterexample
    const { seed, counterexamplePath, errorInstance } = details
    if (!(errorInstance instanceof Violated)) throw errorInstance
    findings.push({
      seed,
      path: counterexamplePath ?? '',
      schedule,
      violations: errorInstance.violations,
    })
    if (findings.length === MOST_FINDINGS) break
  }
  return findings
}

/** A run with violations. */
class Violated extends Error {
  readonly violations: readonly string[]
  constructor(violations: readonly string[]) {
    super(violations.join('\n'))
    this.violations = violations
  }
}

/** Maximum number of shorter schedules to try. Each runs in real time. */
const MOST_SHRINKS = 60

function check(place: Place, lane: Lane, numRuns: number, done: number, tally: Tally) {
  let runs = 0
  let shrinks = 0
  let failed = false
  const property = fc.asyncProperty(schedules(lane), async schedule => {
    if (failed && ++shrinks > MOST_SHRINKS) return
    const seen = await perform(place, schedule, `chaos-${lane.seed}-${done}-${runs++}`)
    if (!failed) tally.add(schedule, seen)
    const violations = findViolations(seen)
    if (violations.length === 0) return
    failed = true
    throw new Violated(violations)
  })
  return fc.check(property, { seed: lane.seed + done * 7919, numRuns })
}

/** Formats a finding with everything needed to reproduce it. */
export function describeFinding({ seed, path, schedule, violations }: Finding): string {
  return [
    ...violations.map(violation => `VIOLATION ${violation}`),
    `  seed ${seed}, path ${path}; the shortest schedule that was found:`,
    `  ${JSON.stringify(schedule)}\n`,
  ].join('\n')
}
