/**
 * Checks answers against their envelope dialect, for code that reads or writes envelopes. A check reports all
 * faults at once. Besides the JSON Schema it applies rules that a schema cannot express: whether numbers and
 * states match the rest of the answer.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { describeSchemaError } from '../src/cards/validate.ts'
import { PROFILE_NAMES, type ProfileName } from '../src/model/profile-name.ts'
import { estimateTokens } from '../src/render/budget/budget.ts'
import { statusOf } from '../src/render/profiles/dotbot.ts'
import { PROFILES } from '../src/render/profiles/index.ts'

export type { ProfileName }
export { PROFILE_NAMES }

/** A part of an answer that its dialect does not allow. */
export interface Fault {
  /** Dotted path; empty for the whole answer. */
  readonly path: string
  readonly message: string
}

export class InvalidEnvelopeError extends Error {
  override readonly name = 'InvalidEnvelopeError'
  readonly faults: readonly Fault[]
  constructor(profile: ProfileName, faults: readonly Fault[]) {
    const lines = faults.map(({ path, message }) => `${path || 'the answer'} ${message}`)
    super(`not a valid "${profile}" answer: ${lines.join('; ')}`)
    this.faults = faults
  }
}

/** @returns every fault of an answer in a dialect; empty if the answer is valid. */
export function checkEnvelope(profile: ProfileName, answer: unknown): readonly Fault[] {
  const check = checkOf(profile)
  if (!check(answer)) return schemaFaults(check, answer)
  return RULES[profile]?.(answer as never) ?? []
}

/** @throws {InvalidEnvelopeError} with every fault. */
export function assertEnvelope(profile: ProfileName, answer: unknown): void {
  const faults = checkEnvelope(profile, answer)
  if (faults.length > 0) throw new InvalidEnvelopeError(profile, faults)
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

/** For a union, Ajv reports the faults of every branch. Report only those of the branch that fits the answer. */
function schemaFaults({ errors, schema }: ValidateFunction, answer: unknown): readonly Fault[] {
  const branches = (schema as { anyOf?: object[] }).anyOf
  const branch = branches?.[isFailure(answer) ? 1 : 0]
  if (!branch) return uniqueFaults(errors)
  const check = ajv.compile(branch)
  return check(answer) ? uniqueFaults(errors) : uniqueFaults(check.errors)
}

function uniqueFaults(errors: ValidateFunction['errors']): readonly Fault[] {
  const faults = (errors ?? []).map(describeSchemaError)
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

/** The rules of the dialects beyond their schemas. */
const RULES: { readonly [Name in ProfileName]?: Rule<never> } = {
  codegraph: (answer: { data: { meta: { approxTokens: number } } }) => {
    const estimate = estimateTokens(JSON.stringify(answer))
    if (answer.data.meta.approxTokens === estimate) return []
    const message = `must be ${estimate}, a quarter of the number of characters`
    return [{ path: 'data.meta.approxTokens', message }]
  },
  dotbot: (answer: { status: string; errors: unknown[]; warnings: unknown[] }) => {
    const status = statusOf(answer.errors, answer.warnings)
    if (answer.status === status) return []
    return [{ path: 'status', message: `must be "${status}" to match errors and warnings` }]
  },
  budgeted: ({ tokenBudget, truncated, dropped }: Sized) => [
    ...(tokenBudget.used > tokenBudget.requested
      ? [{ path: 'tokenBudget.used', message: 'must not exceed tokenBudget.requested' }]
      : []),
    ...(dropped !== undefined && !truncated
      ? [{ path: 'truncated', message: 'must be true if dropped is present' }]
      : []),
  ],
}
