/** Units of the settings whose names end like this, with an example. */
const UNITS: Readonly<Record<string, string>> = {
  _ms: 'milliseconds without a unit, such as 5000',
  _days: 'days without a unit, such as 7',
  _bytes: 'bytes without a unit, such as 67108864',
}

/** Variables that hold JSON. A text that is left as it is could not be parsed. */
const JSON_SETTINGS: readonly string[] = ['oidc', 'credentials']

/** Says what a setting takes whose text could not be parsed, as the end of "it …"; null for any other fault. */
export function wanted(setting: string, value: unknown): string | null {
  if (typeof value === 'string' && JSON_SETTINGS.includes(setting)) return 'is not valid JSON'
  if (!Number.isNaN(value)) return null
  if (setting === 'workers') return 'must be auto, or a number from 1 to 64'
  const unit = Object.keys(UNITS).find(end => setting.endsWith(end))
  return unit === undefined ? null : `must be a number of ${UNITS[unit]}`
}
