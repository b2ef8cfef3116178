import { shorten } from '../lib/text.ts'
import type { JsonSchema } from '../model/card.ts'
import { valuesOf } from './schema-parts.ts'

/** A longer default, such as a template, costs more than it tells. */
const LONGEST_DEFAULT = 60
const MOST_VALUES = 20

/**
 * The description of a part, with what its keywords said and providers do not take: its format, its default, and values
 * that are no texts. Empty when there is nothing to say.
 */
export function toldDescription(schema: JsonSchema): string {
  const { description } = schema
  const own = typeof description === 'string' ? description.trim() : ''
  return [
    own === '' || /[.!?…]$/.test(own) ? own : `${own}.`,
    formatOf(schema),
    defaultOf(schema),
    otherValues(schema),
  ]
    .filter(text => text !== '')
    .join(' ')
}

/** Formats whose name tells a model how to write the text. */
const FORMATS: readonly unknown[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
]

function formatOf({ format, description }: JsonSchema): string {
  if (format === 'byte') return /base64/i.test(String(description)) ? '' : 'In Base64.'
  return FORMATS.includes(format) ? `Format ${String(format)}.` : ''
}

/** Leaving a flag out means false, which goes without saying. */
function defaultOf(schema: JsonSchema): string {
  const value = schema.default
  if (value === undefined || value === null || value === false) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '' || text.length > LONGEST_DEFAULT ? '' : `Default ${text}.`
}

function otherValues(schema: JsonSchema): string {
  const values = (valuesOf(schema) ?? []).filter(
    value => typeof value !== 'string' && value !== null,
  )
  const shown = values.slice(0, MOST_VALUES).map(value => shorten(JSON.stringify(value), 100))
  if (shown.length === 0) return ''
  return shown.length === 1 ? `Only ${shown[0]}.` : `One of ${shown.join(', ')}.`
}
