import { type ParameterForm, plainParameter } from '../../src/lib/parameters.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { RestCardSection } from './schema.ts'

/**
 * Returns how each parameter of a query or a form is written. Reports styles of parameters that do not exist.
 * @param names null if they depend on the call
 * @param reserved names that no member of a caller's object may have, because they carry a credential
 */
export function compileForms(
  place: 'query' | 'body',
  names: readonly string[] | null,
  section: RestCardSection,
  compiler: SectionCompiler,
  reserved: readonly string[] = [],
): (name: string) => ParameterForm {
  const { styles = {}, keep_empty: kept = [] } = section
  const own = styles[place] ?? {}
  for (const name of Object.keys(own)) checkName(names, name, ['styles', place, name], compiler)
  const taken = new Set([...(names ?? []), ...reserved])
  const forms = new Map<string, ParameterForm>()
  for (const name of new Set([...(names ?? []), ...Object.keys(own), ...kept])) {
    const style = own[name] ?? 'repeat'
    const others = new Set([...taken].filter(other => other !== name))
    forms.set(name, { name, style, keepEmpty: kept.includes(name), taken: others })
  }
  return name => forms.get(name) ?? plainParameter(name)
}

function checkName(
  names: readonly string[] | null,
  name: string,
  path: readonly string[],
  compiler: SectionCompiler,
): void {
  if (names === null || names.includes(name)) return
  compiler.problem(path, 'is the style of no parameter', `Write one of: ${names.join(', ')}.`)
}
