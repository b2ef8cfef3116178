import { ExpressionError } from '../expressions/expression.ts'
import { isTruthy } from '../expressions/truth.ts'
import { isTelling, mentions } from '../lib/mentions.ts'
import { shorten } from '../lib/text.ts'
import type { CallContext } from '../model/adapter.ts'
import type { CardRoute, Lookup } from '../model/card.ts'
import type { Expression } from '../model/expression.ts'
import { createFailure, type Failure } from '../model/failure.ts'
import type { GoodReply, Reply } from '../model/reply.ts'

type Input = Readonly<Record<string, unknown>>

export const NO_LOOKUPS = { lookup: {}, failed: null, requests: 0 } as const

/** Makes the reads whose answers feed the call. If one fails the attempt ends, with nothing applied. */
export async function runLookups(route: CardRoute, input: Input, context: CallContext) {
  const lookup: Record<string, unknown> = {}
  let requests = 0
  for (const own of route.lookups) {
    const { name, call, result } = own
    const reply = await call.call({ input, lookup }, { ...context, effect: 'read' })
    requests += reply.exchange.upstreamRequests
    if (!reply.ok)
      return {
        lookup,
        requests,
        failed: before(reply, unreached(own, reply.failure), requests),
      }
    const scope = { input, lookup, ...replyScope(reply) }
    const read = evaluate(() => ({
      failure: refusal(own, scope),
      value: result ? result(scope) : reply.body,
    }))
    const failure = read instanceof ExpressionError ? strange(own, read) : read.failure
    if (failure)
      return { lookup, requests, failed: before(reply, explained(reply, failure), requests) }
    lookup[name] = (read as { readonly value: unknown }).value
  }
  return { lookup, requests, failed: null }
}

/** The result of an attempt that failed before its main request. */
function before({ exchange }: Reply, failure: Failure, upstreamRequests: number) {
  return {
    ok: false,
    failure: { ...failure, writeOutcome: 'not_applied' },
    exchange: { ...exchange, upstreamRequests },
  } as const
}

function replyScope({ body, status, headers }: GoodReply) {
  return { body, status, headers }
}

/** A lookup can prove the call invalid, or unsupported on this route. */
function refusal(lookup: Lookup, scope: Input): Failure | null {
  return (
    absenceIn(lookup, scope) ??
    refused(lookup, scope, 'VALIDATION', lookup.invalid?.(scope)) ??
    refused(lookup, scope, 'CONFLICT', lookup.conflict?.(scope)) ??
    misfit(lookup.unsupported, scope)
  )
}

/** Nothing answers to one of the names that the lookup reads. */
function absenceIn(lookup: Lookup, scope: Input): Failure | null {
  const missing = lookup.missing?.(scope)
  if (!isTruthy(missing)) return null
  if (typeof missing === 'string') return refused(lookup, scope, 'NOT_FOUND', missing)
  const input = scope.input as Input
  const names = missingNames(lookup, missing, scope)
  const message = names.length === 0 ? NOTHING : `The upstream has nothing named ${listed(names)}.`
  const given = lookup.members.filter(name => input[name] !== undefined)
  const holders = given.filter(name => names.some(one => [input[name]].flat().includes(one)))
  const paths = holders.length > 0 ? holders : given
  return createFailure('NOT_FOUND', message, about(paths, 'may name nothing'))
}

const MOST_NAMES = 5
const LONGEST_NAME = 100

/** The names that `missing` returns, or the members of `each` whose answers it returns. */
function missingNames({ each }: Lookup, missing: unknown, scope: Input): readonly unknown[] {
  if (!Array.isArray(missing)) return []
  if (missing.every(name => typeof name === 'string')) return missing
  const { body } = scope
  const items = each?.(scope)
  if (!Array.isArray(body) || !Array.isArray(items)) return []
  return items.filter((_, index) => missing.includes(body[index]))
}

function listed(names: readonly unknown[]): string {
  const texts = names.slice(0, MOST_NAMES).map(name => `"${shorten(String(name), LONGEST_NAME)}"`)
  return texts.join(', ')
}

/** A request for each member of a list that finds nothing, or is refused, is most likely about that list. */
function unreached({ each, members }: Lookup, failure: Failure): Failure {
  return each ? { ...failure, suspects: members } : failure
}

/** The sentence may mention one of the members that the lookup judges. */
function refused(
  { subjects, searched, flags }: Lookup,
  scope: Input,
  code: 'VALIDATION' | 'CONFLICT' | 'NOT_FOUND',
  said: unknown,
): Failure | null {
  if (typeof said !== 'string') return null
  const input = scope.input as Input
  // Naming a flag that is off would advise the caller to set it, such as `admin`, which bypasses the rules of a branch.
  const isOff = (name: string) => flags.includes(name) && input[name] === false
  const given = (code === 'NOT_FOUND' ? searched : subjects).filter(
    name => input[name] !== undefined && !isOff(name),
  )
  const mentioned = [given, Object.keys(input)].map(names => names.filter(isIn(said)))
  const paths = mentioned.find(names => names.length > 0) ?? given
  return createFailure(code, said, about(paths, said))
}

function isIn(sentence: string): (member: string) => boolean {
  return member => isTelling(member) && mentions(sentence, member)
}

function about(paths: readonly string[], message: string) {
  const fields = paths.map(path => ({ path, message }))
  return fields.length > 0 ? { details: { fields }, members: paths } : {}
}

const NOTHING = 'The upstream has nothing of this kind under this name.'

/** Some upstreams answer 200 for a missing thing; the card's `missing` recognizes such answers, and may say what is missing. */
export function absence(missing: Expression | null, scope: Input): Failure | null {
  const said = missing?.(scope)
  if (!isTruthy(said)) return null
  if (typeof said !== 'string') return createFailure('NOT_FOUND', NOTHING)
  const suspects = Object.keys(scope.input as Input).filter(isIn(said))
  return createFailure('NOT_FOUND', said, { suspects })
}

/** Errors beside partial data say more than the gap that they left, such as a missing permission or repository. */
export function explained({ partialFailure }: GoodReply, failure: Failure): Failure {
  if (failure.code !== 'NOT_FOUND' || !partialFailure) return failure
  if (partialFailure.code !== 'NOT_FOUND') return partialFailure
  const { members = [], suspects = members } = failure
  const { message, details } = partialFailure
  return { ...failure, message, details, members: [], suspects }
}

/** The answer shows that this route cannot serve the call; another one may. */
export function misfit(unsupported: Expression | null, scope: Input): Failure | null {
  const reason = unsupported?.(scope)
  if (typeof reason !== 'string') return null
  return createFailure('ADAPTER_UNSUPPORTED', reason)
}

/** The failure of an answer to a lookup that the card's expressions cannot read. */
function strange({ name }: Lookup, { message }: ExpressionError): Failure {
  return createFailure(
    'OUTPUT_INVALID',
    `The answer to the lookup ${name} is not as the card expects it: ${message}.`,
  )
}

export function evaluate<T>(work: () => T): T | ExpressionError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}
