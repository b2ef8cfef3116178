import { editDistance, isOneSlip } from '../lib/edit-distance.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'

/** So many wrong letters are a slip. Other names may be variables of somebody's cards. */
const MOST_SLIPS = 2

/**
 * Variables that Kubernetes sets in each container for a Service named `signalbox`, or `signalbox-` and more: addresses of
 * the Service, which nobody has written and no setting reads.
 */
const OF_KUBERNETES =
  /^SIGNALBOX_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?)$/

/** Variables that have the names of other programs. */
const WITHOUT_PREFIX = /^(?:HOST|PORT|(?:GITHUB|GH)_\w+)$/

const PREFIX = /^SIGNAL_?BOX_/
/** The same where the underscore may be missing. */
const JOINED = /^SIGNAL_?BOX_?/
const LETTERS = /^[A-Z]+$/
/** Other programs, whose names are like ours. */
const OTHERS: readonly string[] = ['SIGNALFX', 'SIGNALBOT']

/** Names that two variables could mean. */
const AMBIGUOUS: Readonly<Record<string, string>> = {
  SIGNALBOX_TOKEN: 'SIGNALBOX_KEYS for callers, or GITHUB_TOKEN for GitHub',
}

/**
 * Refuses a misspelt variable, which would have no effect.
 * @param known the names of all settings
 * @throws {SettingsError} which names the one that is meant.
 */
export function assertSpelling(env: Environment, known: readonly string[]): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (known.includes(name)) continue
    const spelt = withPrefix(name.toUpperCase()) ?? withUnlikelyPrefix(name.toUpperCase(), known)
    const meant = spelt === null ? null : meantBy(spelt, value, known)
    if (meant === null) continue
    throw new SettingsError(`${name} is no setting: write ${meant}, or unset it.`)
  }
}

/** Whether a person has written the variable for Signalbox: it has the prefix, perhaps with a slip, and Kubernetes does not set it. */
export function isOurs(name: string): boolean {
  const spelt = name === name.toUpperCase() ? withPrefix(name) : null
  return spelt !== null && !OF_KUBERNETES.test(spelt)
}

/** The name with the right prefix, where at most one slip is in it; null if it has another one. */
function withPrefix(name: string): string | null {
  const isSlip = ({ word }: Parts) => isOneSlip(word, 'SIGNALBOX')
  const found = PREFIX.test(name) ? undefined : partsOf(name).find(isSlip)
  if (found) return `SIGNALBOX_${found.rest}`
  return JOINED.test(name) ? name.replace(JOINED, 'SIGNALBOX_') : null
}

/** The same for a prefix with more slips, whose variable counts as ours only if the rest is that of a setting. */
function withUnlikelyPrefix(name: string, known: readonly string[]): string | null {
  const near = partsOf(name).filter(({ word }) => isNear(word, 'SIGNALBOX'))
  const names = near.map(({ rest }) => `SIGNALBOX_${rest}`)
  return names.find(meant => known.includes(meant)) ?? null
}

/** Compares the lengths first: an environment has many other names. */
function isNear(one: string, other: string): boolean {
  const longer = Math.abs(one.length - other.length)
  return longer <= MOST_SLIPS && editDistance(one, other) <= MOST_SLIPS
}

interface Parts {
  /** Perhaps the prefix, without underscores. */
  readonly word: string
  readonly rest: string
}

/** The ways to divide a name: the prefix may have an underscore in it. */
function partsOf(name: string): readonly Parts[] {
  const words = name.split('_')
  return [1, 2]
    .map(n => ({ word: words.slice(0, n).join(''), rest: words.slice(n).join('_') }))
    .filter(({ word, rest }) => rest !== '' && LETTERS.test(word) && !OTHERS.includes(word))
}

/** The variable that is meant, in words; null for one that may be somebody else's. */
function meantBy(spelt: string, value: string, known: readonly string[]): string | null {
  // Kubernetes sets SIGNALBOX_PORT to an address.
  const isNumber = /^\d+$/.test(value)
  if (OF_KUBERNETES.test(spelt) && !(spelt === 'SIGNALBOX_PORT' && isNumber)) return null
  const bare = spelt.slice('SIGNALBOX_'.length)
  if (WITHOUT_PREFIX.test(bare)) return `${bare}, without SIGNALBOX_`
  return (
    AMBIGUOUS[spelt] ?? closest(spelt, known) ?? fileless(spelt, known) ?? related(spelt, known)
  )
}

function closest(name: string, known: readonly string[]): string | null {
  const byDistance = known.map(one => ({ one, slips: editDistance(one, name) }))
  const [first] = byDistance.toSorted((a, b) => a.slips - b.slips)
  return first !== undefined && first.slips <= MOST_SLIPS ? first.one : null
}

/** A setting that no file can hold. */
function fileless(name: string, known: readonly string[]): string | null {
  const setting = name.replace(/_FILE$/, '')
  return setting !== name && known.includes(setting) ? `${setting}, which takes no file` : null
}

/** A setting with one word less, or those with more words: `…_STATE_URL`, `…_DRAIN`. */
function related(name: string, known: readonly string[]): string | null {
  const longer = known.filter(one => one.startsWith(`${name}_`) && !one.endsWith('_FILE'))
  if (longer.length > 0) return longer.join(' or ')
  const shorter = name.replace(/_[A-Z]+$/, '')
  return known.includes(shorter) ? shorter : null
}
