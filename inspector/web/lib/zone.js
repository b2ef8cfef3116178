/** The zone in which the page shows times: the browser's own, or UTC to compare with the logs of servers. */
import { Store } from './store.js'
import { keep, recall } from './stored.js'

const KEY = 'signalbox-zone'

export const zone = new Store({ utc: recall(KEY) === 'utc' })

export function toggleZone() {
  const utc = !zone.state.utc
  keep(KEY, utc ? 'utc' : 'local')
  zone.update({ utc })
}

/**
 * The short name of the zone at a time: UTC, CET, GMT+9.
 * @param {Date} [date]
 */
export function zoneName(date = new Date()) {
  const part = formats()
    .name.formatToParts(date)
    .find(({ type }) => type === 'timeZoneName')
  return part?.value ?? ''
}

/** @type {Map<boolean, ReturnType<typeof makeFormats>>} */
const made = new Map()

/** The formats of times in the zone that the page shows. Making one takes long, formatting with it does not. */
export function formats() {
  const { utc } = zone.state
  const known = made.get(utc) ?? makeFormats(utc)
  made.set(utc, known)
  return known
}

/** @param {boolean} utc */
function makeFormats(utc) {
  const make = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    new Intl.DateTimeFormat('en-GB', utc ? { ...options, timeZone: 'UTC' } : options)
  return {
    clock: make({ timeStyle: 'medium' }),
    minute: make({ timeStyle: 'short' }),
    day: make({ day: 'numeric', month: 'short' }),
    date: make({ dateStyle: 'medium' }),
    name: make({ hour: 'numeric', timeZoneName: 'short' }),
  }
}
