import { isRawNumber } from './exact-json.ts'

/** A value that cannot become part of a request. */
export class ValueError extends Error {
  override readonly name = 'ValueError'
  /** The variable, parameter, header or member of a body that has the value. */
  readonly field: string
  readonly value: unknown
  /** Continues a sentence that begins with the field: "must have a value". */
  readonly fault: string
  readonly tooLong: boolean

  constructor(field: string, value: unknown, fault: string, tooLong = false) {
    super(`${field} ${fault}`)
    this.field = field
    this.value = value
    this.fault = fault
    this.tooLong = tooLong
  }
}

/** @throws {ValueError} unless the value is a text, a number or a boolean */
export function singleText(field: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (isRawNumber(value)) return value.rawJSON
  throw new ValueError(field, value, 'must be a single value')
}
