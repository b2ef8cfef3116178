/** Reads data from the gateway, through the same `/v1` API that every client uses. */
import { parseExact } from './exact-json.js'
import { Store } from './store.js'

const KEY = 'signalbox-key'

/** The gateway key, kept until the tab is closed. `wanted` is true after the gateway refused a call with 401. */
export const access = new Store({
  key: sessionStorage.getItem(KEY) ?? '',
  wanted: false,
  /** @type {string | null} */
  refusal: null,
})

/** @param {string} key */
export function presentKey(key) {
  sessionStorage.setItem(KEY, key)
  access.update({ key, wanted: false, refusal: null })
}

/** A failed API call. The page shows its message to the user. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when the gateway did not answer
   * @param {string} message
   * @param {Readonly<Record<string, unknown>>} [details]
   */
  constructor(status, message, details = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/**
 * The message to show for an error of any kind.
 * @param {unknown} error
 */
export function messageOf(error) {
  return error instanceof ApiError ? error.message : String(error)
}

/** @param {Record<string, string>} [headers] */
export function authorized(headers = {}) {
  const { key } = access.state
  return key === '' ? headers : { ...headers, authorization: `Bearer ${key}` }
}

/**
 * Fetches an envelope and returns its `data`.
 * @template T
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 * @throws {ApiError}
 */
export async function getData(path, signal) {
  return (await getAnswer(path, signal)).data
}

/**
 * Fetches an envelope.
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @throws {ApiError}
 */
export async function getAnswer(path, signal) {
  const response = await send(path, { headers: authorized(), ...(signal ? { signal } : {}) })
  return parseExact(await response.text())
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @throws {ApiError} unless the response is a success
 */
export async function send(path, init) {
  const response = await fetch(path, init).catch(error => {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The gateway does not answer.')
  })
  if (response.ok) return response
  const { message, details } = await readError(response)
  if (response.status === 401) {
    access.update({ wanted: true, refusal: access.state.key === '' ? null : message })
  }
  throw new ApiError(response.status, message, details)
}

/** @param {Response} response */
async function readError(response) {
  try {
    const { error } = parseExact(await response.text())
    return { message: String(error.message), details: error.details ?? {} }
  } catch {
    return { message: `The gateway answered with HTTP ${response.status}.`, details: {} }
  }
}
