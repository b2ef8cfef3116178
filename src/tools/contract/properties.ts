import { escape, type OpenApi } from './openapi.ts'

/** What an object schema says about its members. */
export interface Members {
  /** Name → where its schema stands; several when alternatives describe it differently. */
  readonly schemas: ReadonlyMap<string, readonly string[]>
  readonly required: ReadonlySet<string>
  /** Any other name is allowed too. */
  readonly open: boolean
}

/** The members of a schema with its references and parts put together. */
export function membersOf(openApi: OpenApi, pointer: string): Members {
  const schemas = new Map<string, string[]>()
  const required = new Set<string>()
  let open = false
  const visit = (place: string, isSure: boolean): void => {
    const { pointer: found, value } = openApi.resolve(place)
    const { properties, additionalProperties } = value
    for (const name of Object.keys(properties ?? {})) {
      schemas.set(name, [...(schemas.get(name) ?? []), `${found}/properties/${escape(name)}`])
    }
    if (isSure) for (const name of (value.required ?? []) as string[]) required.add(name)
    for (const [key, sure] of [
      ['allOf', isSure],
      ['anyOf', false],
    ] as const) {
      ;((value[key] ?? []) as unknown[]).forEach((_, index) =>
        visit(`${found}/${key}/${index}`, sure),
      )
    }
    const says = ['properties', 'required', 'allOf', 'anyOf'].some(key => key in value)
    const closedScalar = value.type !== undefined && value.type !== 'object'
    if (additionalProperties || (!says && !closedScalar)) open = true
  }
  visit(pointer, true)
  return { schemas, required, open }
}
