/** What the gateway tells, over the same `/v1` that everybody uses. */
import { Store } from './store.js'

const KEY = 'signalbox-key'

/** The gateway key, for as long as the tab is open. `wanted` once the gateway has asked for one. */
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

/** An answer that is not a success; the message is for whoever sits in front of the page. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 when there was no answer
   * @param {string} message
   */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @param {Record<string, string>} [headers] */
export function authorized(headers = {}) {
  const { key } = access.state
  return key === '' ? headers : { ...headers, authorization: `Bearer ${key}` }
}

/**
 * The `data` of the envelope.
 * @template T
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 * @throws {ApiError}
 */
export async function getData(path, signal) {
  const response = await send(path, { headers: authorized(), ...(signal ? { signal } : {}) })
  const envelope = await response.json()
  return envelope.data
}

/**
 * @param {string} path
 * @param {RequestInit} init
 * @throws {ApiError} for everything but a success
 */
export async function send(path, init) {
  const response = await fetch(path, init).catch(error => {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'The gateway does not answer.')
  })
  if (response.ok) return response
  const message = await messageOf(response)
  if (response.status === 401) {
    access.update({ wanted: true, refusal: access.state.key === '' ? null : message })
  }
  throw new ApiError(response.status, message)
}

/** @param {Response} response */
async function messageOf(response) {
  try {
    const { error } = await response.json()
    return String(error.message)
  } catch {
    return `The gateway answered with HTTP ${response.status}.`
  }
}
