import { remember } from '../../../src/lib/remember.ts'
import { type Unit, unitOf } from './wait-values.ts'

/** Cut longer names before a pattern looks at them. */
const MAX_NAME = 60

const WAIT =
  /^(?:\w+ )*?(?:retry(?:able)? (?:after|in|delay|at|wait|time)|back ?off|cool ?down|(?:try|allowed) again(?: in| at| after)?|wait|resets? (?:in|after|at)|estimated (?:wait )?time)(?: (?:time|for|duration|period|interval))?((?: [a-z]+){0,2})$/
const RESET =
  /^(?:\w{1,40} ){0,6}?(?:rate ?limit|limit|quota|requests|tokens)(?: \w{1,40}){0,6}? resets?(?: (?:after|in|at|time|timestamp))?((?: [a-z]+){0,2})$/

/** A name that holds a wait, with the unit that it gives; null if the name says nothing of a wait. */
interface WaitName {
  readonly unit: Unit | null
}

/** `retry-after-ms`, `retryAfterSeconds`, `x-backoff`, `cooldown_minutes`, `reset_in`: a wait that the service asks for. */
export const readWaitName = remember(name => read(name, WAIT))

/** `x-ratelimit-reset-ms`, `anthropic-ratelimit-requests-reset`: the time at which a quota is full again. */
export const readResetName = remember(name => read(name, RESET))

function read(name: string, pattern: RegExp): WaitName | null {
  if (name.length > MAX_NAME) return null
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  const match = pattern.exec(words)
  if (!match) return null
  const units = [...(match[1] ?? '').trim().split(' '), words.split(' ').at(-1) ?? ''].map(unitOf)
  return { unit: units.find(unit => unit !== null) ?? null }
}
