import { reportProblem } from '../../cards/report.ts'
import { mistakenConstants } from '../../expressions/habits.ts'
import { misreadInputs } from '../../expressions/shape.ts'
import { isObject } from '../../lib/is-object.ts'
import type { Problem } from '../../lib/problem.ts'
import { variablesOf } from '../../lib/request-target.ts'
import type { KeyPath, SourceFile } from '../../lib/yaml-source.ts'
import { foldersIn } from './folders-in.ts'
import { checkProgram } from './missing-program.ts'
import { refusedNames } from './names-for-models.ts'
import { undeclaredDestruction } from './undeclared.ts'
import { unusedMembers } from './unused-members.ts'

type Json = Readonly<Record<string, unknown>>

/** Finds parts of cards that are most likely not meant as they are, although calls may succeed. */
export function findWarnings(directories: readonly string[]): readonly Problem[] {
  const warnings: Problem[] = []
  for (const { upstream, cards } of foldersIn(directories)) {
    checkProgram(upstream, warnings)
    for (const source of cards)
      if (isObject(source.value)) checkCard(source, source.value, warnings)
  }
  return warnings
}

function checkCard(source: SourceFile, card: Json, warnings: Problem[]): void {
  const warn = (path: KeyPath, message: string, fix: string) =>
    reportProblem(source, path, message, fix, warnings)
  const inputs = Object.keys(propertiesOf(card.input))
  for (const name of unusedMembers(card, inputs)) {
    const fix = `Send it, e.g. query: { ${name}: input.${name} }, or remove it from input.`
    warn(['input', 'properties', name], 'is not used by any route', fix)
  }
  checkNames(card, warn)
  const looks = undeclaredDestruction(card)
  if (looks !== null) {
    const fix =
      'Write destructive: true beside effect if it deletes, merges, transfers or overwrites; else destructive: false.'
    warn(['effect'], `${looks}, but does not say whether it is destructive`, fix)
  }
  for (const [route, section] of Object.entries(isObject(card.routes) ? card.routes : {})) {
    if (isObject(section)) checkSection(section, ['routes', route], { card, inputs, warn })
  }
}

type Warn = (path: KeyPath, message: string, fix: string) => void

function checkNames({ input }: Json, warn: Warn): void {
  for (const { path } of refusedNames(input)) {
    const message = 'is no name that all models take: letters, digits and _, at most 64 of them'
    warn(path, message, 'Rename it; the routes can still send it under the name of the service.')
  }
}

interface Checking {
  readonly card: Json
  readonly inputs: readonly string[]
  readonly warn: Warn
}

function propertiesOf(schema: unknown): Json {
  return isObject(schema) && isObject(schema.properties) ? schema.properties : {}
}

/** A route, or one of its lookups, which always read. */
function checkSection(section: Json, base: KeyPath, checking: Checking): void {
  checkMethod(section, base, checking)
  checkPath(section, base, checking)
  const { then: _, lookup, ...own } = section
  checkExpressions(own, base, checking)
  for (const [name, inner] of Object.entries(isObject(lookup) ? lookup : {})) {
    const reading = { ...checking, card: { ...checking.card, effect: 'read' } }
    if (isObject(inner)) checkSection(inner, [...base, 'lookup', name], reading)
  }
}

const WRITES = /^(POST|PUT|PATCH|DELETE)$/

function checkMethod({ method, reads }: Json, base: KeyPath, { card, warn }: Checking): void {
  if (typeof method !== 'string' || !WRITES.test(method)) return
  if (reads === true || card.effect !== 'read') return
  const effect = method === 'PUT' || method === 'DELETE' ? 'idempotent' : 'write'
  const isLookup = base.includes('lookup')
  const otherwise = isLookup ? 'or use another request' : `else write effect: ${effect}`
  warn(
    [...base, 'method'],
    `is ${method} in a card that reads, so the gateway repeats and shares it freely`,
    `If it changes nothing, such as a search, add reads: true to the section; ${otherwise}.`,
  )
}

function checkPath({ path }: Json, base: KeyPath, { card, warn }: Checking): void {
  if (typeof path !== 'string') return
  const [own = '', query] = path.replaceAll(/\{[?&][^{}]*\}/g, '').split('?')
  if (query !== undefined) {
    const pairs = [...new URLSearchParams(query)].map(([name, value]) => `${name}: ${sent(value)}`)
    warn([...base, 'path'], 'has a query', `Write query: { ${pairs.join(', ')} } beside it.`)
  }
  const schema = isObject(card.input) ? card.input : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  for (const name of variablesOf(own)) {
    const member = propertiesOf(schema)[name]
    if (!isObject(member) || required.includes(name) || member.default !== undefined) continue
    const message = `needs {${name}}, which callers may leave out; such calls are refused`
    warn([...base, 'path'], message, `Add ${name} to input.required, or give it a default.`)
  }
}

function sent(value: string): string {
  const [, variable] = /^\{\+?(\w+)\}$/.exec(value) ?? []
  return variable === undefined ? `"'${value}'"` : `input.${variable}`
}

/** Keys whose texts are no expressions. */
const NO_EXPRESSION = [
  'path',
  'method',
  'parse',
  'document',
  'command',
  'reason',
  'purpose',
  'redirects',
]

function checkExpressions(value: unknown, path: KeyPath, checking: Checking): void {
  if (typeof value === 'string') return checkExpression(value, path, checking)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkExpressions(item, [...path, index], checking)
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!NO_EXPRESSION.includes(key)) checkExpressions(member, [...path, key], checking)
    }
  }
}

function checkExpression(text: string, path: KeyPath, { inputs, warn }: Checking): void {
  for (const name of misreadInputs(text).filter(member => inputs.includes(member))) {
    const message = `reads input.${name} where input is not in scope, which gives null`
    warn(path, message, `Write $.input.${name}, which reads the whole scope.`)
  }
  for (const { written, cure } of mistakenConstants(text)) {
    warn(path, `compares with the member ${written}`, `For the value, write ${cure}.`)
  }
}
