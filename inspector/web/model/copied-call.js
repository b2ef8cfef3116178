/** Writes a recorded call as text that a person can run: for a shell, and for the typed client. Neither holds a secret. */
import {
  inputForCode,
  inputForShell,
  quoteForCode,
  quoteForShell,
  removedParts,
} from './copied-input.js'

/**
 * @typedef {import('../../../src/model/asked-options.ts').AskedOptions} AskedOptions
 * @typedef {object} CopiedCall
 * @property {string} origin of the gateway
 * @property {string} capability
 * @property {unknown} input null if the journal has not kept it
 * @property {string | null} effect
 * @property {AskedOptions} options of the call
 * @property {boolean} hadKey whether the call had an Idempotency-Key
 * @property {boolean} hasKey whether the gateway asks for a key
 */

/**
 * @param {import('../../../src/journal/row-schemas.ts').RequestDetail} request
 * @returns {Omit<CopiedCall, 'origin' | 'hasKey'>}
 */
export function copyOf({ capability_id, input, effect, options, trace, idempotency_key_hash }) {
  // Records of older versions have no options, but the trace has the route.
  const pinned = trace?.pin ? { route: trace.pin } : {}
  return {
    capability: capability_id ?? '',
    input,
    effect,
    options: options ?? pinned,
    hadKey: idempotency_key_hash !== null,
  }
}

/** Options of the query, under their own names. An explain call has no answer to choose the form of. */
const OF_BOTH = /** @type {const} */ (['route', 'timeout_ms', 'max_age_ms', 'stale_if_error_ms'])
const OF_ANSWER = /** @type {const} */ (['fields', 'token_budget', 'profile'])

/**
 * The path of the call with its options.
 * @param {Pick<CopiedCall, 'capability' | 'options'>} call
 * @param {'call' | 'explain'} [what]
 */
export function pathOf({ capability, options }, what = 'call') {
  const query = new URLSearchParams()
  for (const name of what === 'call' ? [...OF_BOTH, ...OF_ANSWER] : OF_BOTH) {
    const value = options[name]
    if (value !== undefined) query.set(name, String(value))
  }
  const text = query.toString()
  const path = `/v1/capabilities/${encodeURIComponent(capability)}${what === 'explain' ? '/explain' : ''}`
  return text === '' ? path : `${path}?${text}`
}

/**
 * The header that says what no parameter does; null if nothing has to be said.
 * @param {AskedOptions} options
 */
export function cacheControlOf({
  max_stale: anyAge,
  only_if_cached: onlyKept,
  no_store: isSecret,
}) {
  const words = [
    anyAge && 'max-stale',
    onlyKept && 'only-if-cached',
    isSecret && 'no-store',
  ].filter(Boolean)
  return words.length === 0 ? null : words.join(', ')
}

/**
 * A command for a POSIX shell. Keys, and a credential of the caller's own, are variables: without a value of one, or of an input or a
 * part of it that the journal has not kept, the shell sends nothing and says which is missing. A change gets an Idempotency-Key.
 * @param {CopiedCall} call
 * @param {'call' | 'explain'} [what]
 */
export function asCurl(call, what = 'call') {
  const { origin, input, hasKey, options } = call
  const cacheControl = cacheControlOf(options)
  const command = [
    `curl -s ${quoteForShell(`${origin}${pathOf(call, what)}`)}`,
    "-H 'content-type: application/json'",
    ...(hasKey ? ['-H "authorization: Bearer ${SIGNALBOX_KEY:?a key of the gateway}"'] : []),
    ...(options.own_credential
      ? [
          '-H "x-upstream-authorization: ${UPSTREAM_CREDENTIAL:?your credential for the service, such as Bearer ghp_…}"',
        ]
      : []),
    ...(cacheControl === null ? [] : [`-H 'cache-control: ${cacheControl}'`]),
    ...(what === 'call' ? keyHeader(call) : []),
    `--data-raw ${inputForShell(input)}`,
  ].join(' ')
  return [...noteOf(input, '#'), command].join('\n')
}

/**
 * A comment about the removed parts of the input. It holds no text of a caller, because some shells take no comments.
 * @param {unknown} input
 * @param {'#' | '//'} sign
 */
function noteOf(input, sign) {
  const names = removedParts(input)
  if (names.length === 0) return []
  return [
    `${sign} The journal has removed parts of the input that look like secrets. Set ${names.join(', ')} to them.`,
  ]
}

const KEY_WANTED = 'the key of the call for its stored answer, or a new one to make it again'

/**
 * The key of a call is not kept, but its hash. With the same key the gateway gives the stored answer.
 * @param {CopiedCall} call
 */
function keyHeader({ effect, hadKey }) {
  if (hadKey) return [`-H "idempotency-key: \${IDEMPOTENCY_KEY:?${KEY_WANTED}}"`]
  return effect === 'read' ? [] : ['-H "idempotency-key: ${NEW_KEY:?a new random text}"']
}

/** Options of the typed client, by their names here: `client/options.ts`. */
export const OF_CLIENT = /** @type {const} */ ({
  route: 'route',
  timeout_ms: 'timeoutMs',
  max_age_ms: 'maxAgeMs',
  stale_if_error_ms: 'staleIfErrorMs',
  max_stale: 'maxStale',
  only_if_cached: 'onlyIfCached',
  no_store: 'noStore',
  fields: 'fields',
  token_budget: 'tokenBudget',
  profile: 'profile',
})

/** The variables of the code that it cannot do without. An absent one ends it before anything is sent. */
const REQUIRED = [
  'function required(name: string): string {',
  '  const value = process.env[name]',
  '  if (!value) throw new Error(`Nothing was sent: set ${name} first.`)',
  '  return value',
  '}',
]

/**
 * The call by the typed client, as TypeScript. Like the command, it asks for the key of the call: a new one would make a change a
 * second time.
 * @param {CopiedCall} call
 */
export function asClientCode({ origin, capability, input, effect, options, hadKey, hasKey }) {
  const own = Object.entries(options).flatMap(([name, value]) =>
    Object.hasOwn(OF_CLIENT, name)
      ? [`${OF_CLIENT[/** @type {keyof typeof OF_CLIENT} */ (name)]}: ${quoteForCode(value)}`]
      : [],
  )
  const words = [...own, ...keyOption(effect, hadKey)]
  const last = words.length === 0 ? '' : `, { ${words.join(', ')} }`
  const credential = options.own_credential
    ? ", upstreamAuthorization: required('UPSTREAM_CREDENTIAL')"
    : ''
  const key = hasKey ? ", key: required('SIGNALBOX_KEY')" : ''
  const call = [
    `const signalbox = createClient({ url: ${quoteForCode(origin)}${key}${credential} })`,
    ...(hadKey ? [`// IDEMPOTENCY_KEY: ${KEY_WANTED}.`] : []),
    ...noteOf(input, '//'),
    `const result = await signalbox.call(${quoteForCode(capability)}, ${inputForCode(input)}${last})`,
    '',
  ]
  const helper = call.some(line => line.includes('required(')) ? [...REQUIRED, ''] : []
  return ["import { createClient } from 'signalbox/client'", '', ...helper, ...call].join('\n')
}

/**
 * @param {string | null} effect
 * @param {boolean} hadKey
 */
function keyOption(effect, hadKey) {
  if (hadKey) return ["idempotencyKey: required('IDEMPOTENCY_KEY')"]
  return effect === 'read' ? [] : ['idempotencyKey: crypto.randomUUID()']
}
