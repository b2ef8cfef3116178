import type { Explain } from '../cards/report.ts'

/** Units of the settings whose names end like this, with an example. */
const UNITS: Readonly<Record<string, string>> = {
  _ms: 'milliseconds without a unit, such as 5000',
  _days: 'days without a unit, such as 7',
  _bytes: 'bytes without a unit, such as 67108864',
}

/** Variables that hold JSON. A text that is left as it is could not be parsed. */
const JSON_SETTINGS: readonly string[] = ['oidc', 'credentials']

/** Says what a setting takes, as the end of "it …", if its text could not be parsed; null for any other fault. */
export function wanted(setting: string, value: unknown): string | null {
  if (setting === 'workers') return 'must be auto, or a number from 1 to 64'
  if (typeof value === 'string' && JSON_SETTINGS.includes(setting)) return 'is not valid JSON'
  return Number.isNaN(value) ? wantedNumber(setting) : null
}

/** Says the same of the settings of a file, where a text may stand in the place of a number. */
export function explainSettings(values: object): Explain {
  return ([setting = '', ...inside]) => {
    if (inside.length > 0) return null
    if (setting === 'workers') {
      return {
        message: `workers ${wanted('workers', null)}`,
        fix: 'Write workers: auto, or a number such as workers: 4, without quotes.',
      }
    }
    const isText =
      typeof Object.entries(values).find(([name]) => name === setting)?.[1] === 'string'
    const message = isText ? wantedNumber(String(setting)) : null
    if (message === null) return null
    return { message: `${setting} ${message}`, fix: 'Write the number without quotes.' }
  }
}

function wantedNumber(setting: string): string | null {
  const unit = Object.keys(UNITS).find(end => setting.endsWith(end))
  return unit === undefined ? null : `must be a number of ${UNITS[unit]}`
}
