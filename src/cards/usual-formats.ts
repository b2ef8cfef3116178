/**
 * The usual form of formats that answers are full of. Each is a part of what ajv-formats accepts, and costs a fraction of it: a
 * list has thousands of times and addresses.
 */

const MONTH_AND_DAY =
  '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)'
const CLOCK = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?'
const OFFSET = '(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** A time without a leap second, on no 29th of February. */
const TIME = new RegExp(`^\\d{4}-${MONTH_AND_DAY}T${CLOCK}${OFFSET}$`)

/** An address of the web without user, port, fragment and percent signs. */
const ADDRESS =
  /^https?:\/\/[A-Za-z0-9.-]+(?:\/[A-Za-z0-9_.~!$&'()*+,;=:@/-]*)?(?:\?[A-Za-z0-9_.~!$&'()*+,;=:@/?-]*)?$/

export function isUsualTime(text: string): boolean {
  return TIME.test(text)
}

export function isUsualAddress(text: string): boolean {
  return ADDRESS.test(text)
}
