/**
 * Reads server-sent events with fetch, because an EventSource cannot send the gateway key. Reconnects after
 * a lost connection and resumes at the last event. Closes the stream while the tab is hidden: a browser opens
 * at most six connections to a host for all tabs together, and idle streams would use them up.
 */
import { ApiError, authorized, send } from './api.js'

const FIRST_WAIT_MS = 1000
const MAX_WAIT_MS = 15_000

/** @typedef {{ id: string, event: string, data: string }} StreamEvent */

/**
 * @typedef {object} StreamHandlers
 * @property {() => void} onOpen
 * @property {(event: StreamEvent) => void} onEvent
 * @property {() => void} onLost
 * @property {AbortSignal} signal
 */

/**
 * Follows a stream until the signal aborts or the gateway refuses the request with a 4xx status.
 * @param {string} path
 * @param {StreamHandlers} handlers
 */
export async function followStream(path, { onOpen, onEvent, onLost, signal }) {
  let lastId = ''
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    await untilVisible()
    const visible = whileVisible(signal)
    try {
      const headers = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) }
      const response = await send(path, { headers: authorized(headers), signal: visible })
      onOpen()
      waitMs = FIRST_WAIT_MS
      for await (const event of readEvents(/** @type {never} */ (response.body))) {
        if (event.id !== '') lastId = event.id
        onEvent(event)
      }
    } catch (error) {
      if (signal.aborted) return
      if (visible.aborted) continue
      if (isRefusal(error)) return onLost()
    }
    onLost()
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)
  }
}

/** @param {unknown} error */
function isRefusal(error) {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/**
 * @param {ReadableStream<BufferSource>} body
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = `${rest}${value}`.replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block)
      if (event.data !== '') yield event
    }
  }
}

/**
 * Keep-alive comments yield an event without data.
 * @param {string} block
 * @returns {StreamEvent}
 */
function parseEvent(block) {
  const event = { id: '', event: 'message', data: '' }
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    if (name === 'data') event.data += event.data === '' ? value : `\n${value}`
    else if (name === 'id' || name === 'event') event[name] = value
  }
  return event
}

/** @returns {Promise<void>} */
async function untilVisible() {
  if (!document.hidden) return
  await new Promise(resolve => {
    document.addEventListener('visibilitychange', resolve, { once: true })
  })
}

/** @param {AbortSignal} signal */
function whileVisible(signal) {
  const hidden = new AbortController()
  const hide = () => hidden.abort()
  document.addEventListener('visibilitychange', hide, { once: true, signal })
  return AbortSignal.any([signal, hidden.signal])
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
