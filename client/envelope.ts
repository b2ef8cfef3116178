/**
 * Checks of the envelope dialects, for those who read or write them. A check finds all faults at once,
 * and beside the JSON Schema it knows what a schema cannot say: that numbers and states fit the rest.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { describeError } from '../src/cards/validate.ts'
import { PROFILE_NAMES, type ProfileName } from '../src/model/profile-name.ts'
import { statusOf } from '../src/render/profiles/dotbot.ts'
import { PROFILES } from '../src/render/profiles/index.ts'

export type { ProfileName }
export { PROFILE_NAMES }

/** Something in an answer that its dialect does not allow. */
export interface Fault {
  /** Dotted path; empty for the whole. */
  readonly path: string
  readonly message: string
}

export class EnvelopeError extends Error {
  override readonly name = 'EnvelopeError'
  readonly faults: readonly Fault[]
  constructor(profile: ProfileName, faults: readonly Fault[]) {
    const told = faults.map(({ path, message }) => `${path || 'the answer'} ${message}`)
    super(`not a valid "${profile}" answer: ${told.join('; ')}`)
    this.faults = faults
  }
}

/** All that is wrong with an answer in a dialect; empty when nothing is. */
export function checkEnvelope(profile: ProfileName, answer: unknown): readonly Fault[] {
  const check = checkOf(profile)
  if (!check(answer)) return schemaFaults(check, answer)
  return RULES[profile]?.(answer as never) ?? []
}

/** @throws {EnvelopeError} naming every fault. */
export function assertEnvelope(profile: ProfileName, answer: unknown): void {
  const faults = checkEnvelope(profile, answer)
  if (faults.length > 0) throw new EnvelopeError(profile, faults)
}

const ajv = new Ajv({ allErrors: true, strict: false })
addFormats.default(ajv, { mode: 'full' })
const checks = new Map<string, ValidateFunction>()

function checkOf(profile: ProfileName): ValidateFunction {
  let check = checks.get(profile)
  if (!check) {
    check = ajv.compile(PROFILES[profile].schema)
    checks.set(profile, check)
  }
  return check
}

/** A union reports the faults of each of its branches; those of the one that was meant are told. */
function schemaFaults({ errors, schema }: ValidateFunction, answer: unknown): readonly Fault[] {
  const branches = (schema as { anyOf?: object[] }).anyOf
  const meant = branches?.[isFailure(answer) ? 1 : 0]
  if (!meant) return told(errors)
  const check = ajv.compile(meant)
  return check(answer) ? told(errors) : told(check.errors)
}

function told(errors: ValidateFunction['errors']): readonly Fault[] {
  const faults = (errors ?? []).map(describeError)
  const seen = new Set<string>()
  return faults.filter(({ path, message }) => {
    const key = `${path} ${message}`
    return !seen.has(key) && seen.add(key)
  })
}

function isFailure(answer: unknown): boolean {
  const { ok, success, err } = (answer ?? {}) as Readonly<Record<string, unknown>>
  return ok === false || success === false || err !== undefined
}

type Rule<T> = (answer: T) => readonly Fault[]

interface Sized {
  readonly tokenBudget: { readonly requested: number; readonly used: number }
  readonly truncated: boolean
  readonly dropped?: unknown
}

/** What the dialects promise beyond their schemas. */
const RULES: { readonly [Name in ProfileName]?: Rule<never> } = {
  codegraph: (answer: { data: { meta: { approxTokens: number } } }) => {
    const measured = tokensOf(answer)
    if (answer.data.meta.approxTokens === measured) return []
    const message = `must be a quarter of the characters, which is ${measured}`
    return [{ path: 'data.meta.approxTokens', message }]
  },
  dotbot: (answer: { status: string; errors: unknown[]; warnings: unknown[] }) => {
    const status = statusOf(answer.errors, answer.warnings)
    if (answer.status === status) return []
    return [{ path: 'status', message: `must be "${status}", by errors and warnings` }]
  },
  budgeted: ({ tokenBudget, truncated, dropped }: Sized) => [
    ...(tokenBudget.used > tokenBudget.requested
      ? [{ path: 'tokenBudget.used', message: 'must not be more than requested' }]
      : []),
    ...(dropped !== undefined && !truncated
      ? [{ path: 'truncated', message: 'must be true, since something was dropped' }]
      : []),
  ],
}

function tokensOf(answer: unknown): number {
  return Math.ceil(JSON.stringify(answer).length / 4)
}
