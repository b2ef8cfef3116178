import { escapeKey } from '../../lib/json-pointer.ts'
import type { OpenApi } from './openapi.ts'

/** The members that an object schema describes. */
export interface Members {
  /** Name → pointers to its schemas; several when alternatives describe it differently. */
  readonly schemas: ReadonlyMap<string, readonly string[]>
  readonly required: ReadonlySet<string>
  /** True when members of any other name are allowed too. */
  readonly open: boolean
}

interface Found {
  readonly schemas: Map<string, string[]>
  readonly required: Set<string>
  open: boolean
}

/** Collects the members of a schema, of the schemas it refers to, and of its `allOf` and `anyOf`. */
export function describedMembers(openApi: OpenApi, pointer: string): Members {
  const found: Found = { schemas: new Map(), required: new Set(), open: false }
  collect(openApi, pointer, true, found)
  return found
}

/** @param isCertain false inside `anyOf`, whose required members another alternative may lack. */
function collect(openApi: OpenApi, place: string, isCertain: boolean, found: Found): void {
  const { pointer, value } = openApi.resolve(place)
  for (const name of Object.keys(value.properties ?? {})) {
    const own = `${pointer}/properties/${escapeKey(name)}`
    found.schemas.set(name, [...(found.schemas.get(name) ?? []), own])
  }
  for (const name of isCertain ? listOf(value.required) : []) found.required.add(String(name))
  for (const index of listOf(value.allOf).keys()) {
    collect(openApi, `${pointer}/allOf/${index}`, isCertain, found)
  }
  for (const index of listOf(value.anyOf).keys()) {
    collect(openApi, `${pointer}/anyOf/${index}`, false, found)
  }
  if (isOpen(value)) found.open = true
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isOpen(schema: Readonly<Record<string, unknown>>): boolean {
  if (schema.additionalProperties) return true
  const describesMembers = ['properties', 'required', 'allOf', 'anyOf'].some(key => key in schema)
  return !describesMembers && (schema.type === undefined || schema.type === 'object')
}
