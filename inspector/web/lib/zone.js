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
 * The name of the zone at a time: UTC, UTC+1, UTC-3:30.
 * @param {Date} [date]
 */
export function zoneName(date = new Date()) {
  const minutes = zone.state.utc ? 0 : -date.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** As `en-GB` has them. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'.split(' ')

/**
 * The parts of a time in the zone that the page shows. The page writes them itself: the formats of Intl take longer to make than the
 * first rows take to draw.
 * @param {Date} at
 */
export function partsOf(at) {
  const shift = zone.state.utc ? 0 : at.getTimezoneOffset() * 60_000
  const text = new Date(at.getTime() - shift).toISOString()
  const [, year = '', month, date, clock = ''] = /^(.+)-(..)-(..)T(.{8})/.exec(text) ?? []
  const day = `${Number(date)} ${MONTHS[Number(month) - 1]}`
  return { clock, minute: clock.slice(0, 5), day, date: `${day} ${year}` }
}
