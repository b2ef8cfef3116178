import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { parseAs, SyntaxProblem } from './parse.ts'

const strict = { additionalProperties: false }

/** The actions of a fault, by the member that each must have. */
const actions = {
  status: Type.Object(
    {
      status: Type.Integer({ minimum: 200, maximum: 599 }),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      body: Type.Optional(Type.Unknown()),
    },
    strict,
  ),
  reset: Type.Object(
    { reset: Type.Union([Type.Literal('before'), Type.Literal('midbody'), Type.Literal('after')]) },
    strict,
  ),
  delay_ms: Type.Object({ delay_ms: Type.Integer({ minimum: 0, maximum: 600_000 }) }, strict),
  hang: Type.Object({ hang: Type.Literal(true) }, strict),
  rate_limit: Type.Object(
    { rate_limit: Type.Union([Type.Literal('primary'), Type.Literal('secondary')]) },
    strict,
  ),
  truncate: Type.Object({ truncate: Type.Integer({ minimum: 0 }) }, strict),
}

const Match = Type.Object(
  {
    route: Type.Optional(Type.Union([Type.Literal('rest'), Type.Literal('graphql')])),
    /** `gh` uses the socket. */
    via: Type.Optional(Type.Union([Type.Literal('tcp'), Type.Literal('socket')])),
    method: Type.Optional(Type.String()),
    path: Type.Optional(Type.String()),
    operation: Type.Optional(Type.String()),
  },
  strict,
)

const Fault = Type.Object(
  {
    on: Type.Optional(Match),
    do: Type.Object({}),
    times: Type.Optional(Type.Integer({ minimum: 0 })),
    next: Type.Optional(Type.Array(Type.Unknown())),
  },
  strict,
)

type Actions = typeof actions
export type FaultMatch = Static<typeof Match>
export type FaultAction = { [Kind in keyof Actions]: Static<Actions[Kind]> }[keyof Actions]

export interface Fault {
  /** All conditions that are set must hold. `path` is a regular expression. */
  on?: FaultMatch
  do: FaultAction
  /** @default 1 */
  times?: number
  /** Replaces all faults when this one is used up. @default keeps them */
  next?: readonly Fault[]
}

type HeldFault = Required<Omit<Fault, 'next'>> & Pick<Fault, 'next'>

/** The properties of a request that a fault can match. */
export interface FaultTarget {
  route: 'rest' | 'graphql'
  via: 'tcp' | 'socket'
  method: string
  path: string
  operation: string | null
}

/** Holds the faults in order. Each applies to matching requests, `times` times. */
export class FaultSwitch {
  #faults: HeldFault[] = []
  /** Called when somebody removes all faults. */
  onRepair: (() => void) | null = null

  /** Replaces all faults, as somebody outside asks for it. */
  replace(faults: readonly Fault[]): void {
    this.set(faults)
    if (faults.length === 0) this.onRepair?.()
  }

  set(faults: readonly Fault[]): void {
    this.#faults = faults.map(fault => ({
      on: fault.on ?? {},
      do: fault.do,
      times: fault.times ?? 1,
      ...(fault.next ? { next: fault.next } : {}),
    }))
  }

  clear(): void {
    this.replace([])
  }

  /** The current faults. `times` counts the uses that are left. */
  list(): readonly HeldFault[] {
    return this.#faults
  }

  /** Takes one use of the first matching fault that has uses left. */
  take(target: FaultTarget): FaultAction | undefined {
    const fault = this.#faults.find(({ on, times }) => times > 0 && matches(on, target))
    if (!fault) return undefined
    fault.times -= 1
    if (fault.next && fault.times === 0) this.set(fault.next)
    return fault.do
  }
}

function matches(on: FaultMatch, target: FaultTarget): boolean {
  return (
    (on.route === undefined || on.route === target.route) &&
    (on.via === undefined || on.via === target.via) &&
    (on.method === undefined || on.method.toUpperCase() === target.method) &&
    (on.path === undefined || new RegExp(on.path).test(target.path)) &&
    (on.operation === undefined || on.operation === target.operation)
  )
}

/** Parses the body of `PUT /_sandbox/faults`. */
export function parseFaults(value: unknown): Fault[] {
  if (!Array.isArray(value)) {
    const example = '[{"on": {"route": "rest"}, "do": {"status": 503}}]'
    throw new SyntaxProblem(`Faults must be a JSON array, e.g. ${example}`)
  }
  return value.map((fault, index) => parseFault(fault, `faults[${index}]`))
}

function parseFault(value: unknown, where: string): Fault {
  const { next, ...fault } = parseAs(Fault, value, where)
  const kinds = Object.keys(actions) as (keyof Actions)[]
  const [kind, ...others] = kinds.filter(key => key in fault.do)
  if (kind === undefined || others.length > 0) {
    throw new SyntaxProblem(`${where}.do must have exactly one of: ${kinds.join(', ')}.`)
  }
  checkPattern(fault.on?.path, `${where}.on.path`)
  return {
    ...fault,
    do: parseAs<TSchema & { static: FaultAction }>(actions[kind], fault.do, `${where}.do`),
    ...(next
      ? { next: next.map((later, index) => parseFault(later, `${where}.next[${index}]`)) }
      : {}),
  }
}

function checkPattern(pattern: string | undefined, where: string): void {
  try {
    new RegExp(pattern ?? '')
  } catch (cause) {
    throw new SyntaxProblem(`${where} is not a regular expression: ${pattern}`, { cause })
  }
}
