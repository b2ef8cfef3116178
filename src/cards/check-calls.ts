import { membersMade } from '../expressions/shape.ts'
import { isObject } from '../lib/is-object.ts'
import { variablesOf } from '../lib/request-target.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { JsonSchema } from '../model/card.ts'
import type { CardSource } from './schema.ts'
import { allowsNull } from './schema-path.ts'

type Report = (path: KeyPath, message: string, fix: string) => void

/** Reports faults with which no call of the card can succeed. */
export function checkCalls(card: CardSource, inputs: readonly string[], report: Report): void {
  for (const key of ['input', 'output'] as const) checkRequired(card[key], [key], true, report)
  for (const [route, section] of Object.entries(card.routes)) {
    const base = ['routes', route]
    if (isClosed(card.input, true)) checkPaths(section, base, inputs, report)
    checkResult(section, base, card.output, report)
  }
}

/** @param isTop at its top, a schema without `additionalProperties` allows no other members. */
function isClosed({ additionalProperties }: JsonSchema, isTop: boolean): boolean {
  return additionalProperties === false || (isTop && additionalProperties === undefined)
}

function checkRequired(schema: JsonSchema, path: KeyPath, isTop: boolean, report: Report): void {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const names = Object.keys(properties)
  const isWhole = !('patternProperties' in schema) && isClosed(schema, isTop)
  for (const name of isWhole ? requiredOf(schema) : []) {
    if (names.includes(name)) continue
    const message = `names "${name}", which properties lacks, so that no value fits`
    const fix = orOneOf(`Add ${name} to properties`, 'write the name of one:', names)
    report([...path, 'required'], message, fix)
  }
  const members = Object.entries(properties).map(([name, member]) => [['properties', name], member])
  for (const [keys, inner] of [...members, [['items'], schema.items]] as const) {
    if (isObject(inner)) checkRequired(inner, [...path, ...(keys as string[])], false, report)
  }
}

function orOneOf(first: string, other: string, names: readonly string[]): string {
  return names.length === 0 ? `${first}.` : `${first}, or ${other} ${names.join(', ')}.`
}

function requiredOf({ required }: JsonSchema): string[] {
  return Array.isArray(required) ? required.map(String) : []
}

/** The paths of a section, of its lookups and of its steps. */
function checkPaths(
  section: object,
  base: KeyPath,
  inputs: readonly string[],
  report: Report,
): void {
  const whole = section as Readonly<Record<string, unknown>>
  if (typeof whole.path === 'string') checkPath(whole.path, [...base, 'path'], inputs, report)
  for (const key of ['lookup', 'then']) {
    const others = whole[key]
    for (const [name, other] of Object.entries(isObject(others) ? others : {})) {
      if (isObject(other)) checkPaths(other, [...base, key, name], inputs, report)
    }
  }
}

const OTHER_ROOTS = ['lookup', 'body', 'item', 'page']

function checkPath(
  template: string,
  path: KeyPath,
  inputs: readonly string[],
  report: Report,
): void {
  for (const variable of variablesOf(template)) {
    const [root = ''] = variable.split('.')
    if (root === '' || OTHER_ROOTS.includes(root) || inputs.includes(root)) continue
    const fix = orOneOf(
      `Add ${root} to input.properties and input.required`,
      'write one of',
      inputs,
    )
    report(path, `names {${variable}}, which the input lacks`, fix)
  }
}

/** Compares the members that `result` always makes with those that the output requires. */
function checkResult(section: object, base: KeyPath, output: JsonSchema, report: Report): void {
  const { result } = section as { readonly result?: unknown }
  const made = typeof result === 'string' ? membersMade(result) : null
  if (!made) return
  const properties = (isObject(output.properties) ? output.properties : {}) as Record<
    string,
    JsonSchema
  >
  for (const name of requiredOf(output)) {
    const member = made.find(one => one.name === name)
    if (!member) {
      const fix = `Add ${name} to result, or take it out of output.required.`
      report([...base, 'result'], `never makes "${name}", which output requires`, fix)
    } else if (member.misread !== null && !allowsNull(properties[name] ?? {})) {
      const message = `makes "${name}" of input.${member.misread} where input is not in scope, so that it is always null`
      report(
        [...base, 'result'],
        message,
        `Write $.input.${member.misread}, which reads the whole scope.`,
      )
    }
  }
}
