import { authorized, messageOf, send } from '../lib/api.js'
import { html, useRef, useState } from '../lib/view.js'

/**
 * Saves the response of an API path as a file. A plain link could not send the gateway key. Shows the progress of a long
 * download; another click stops it.
 * @param {{ path: string, file: string, label: string }} props
 */
export function DownloadButton({ path, file, label }) {
  const [failure, setFailure] = useState('')
  const [bytes, setBytes] = useState(/** @type {number | null} */ (null))
  const running = useRef(/** @type {AbortController | null} */ (null))
  const save = async () => {
    if (running.current) return running.current.abort()
    const controller = new AbortController()
    running.current = controller
    setFailure('')
    try {
      const response = await send(path, { headers: authorized(), signal: controller.signal })
      saveAs(file, await collect(response, setBytes))
    } catch (error) {
      if (!controller.signal.aborted) setFailure(messageOf(error))
    }
    running.current = null
    setBytes(null)
  }
  return html`<button type="button" class="quiet copy" onClick=${save}>
      ${bytes === null ? label : `Stop (${(bytes / 1e6).toFixed(1)} MB)`}
    </button>
    ${failure && html`<span role="alert">${failure}</span>`}`
}

/**
 * @param {Response} response
 * @param {(bytes: number) => void} onProgress
 */
async function collect(response, onProgress) {
  /** @type {BlobPart[]} */
  const parts = []
  let bytes = 0
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
    parts.push(value)
    bytes += value.length
    onProgress(bytes)
  }
}

/**
 * @param {string} file
 * @param {Blob} content
 */
function saveAs(file, content) {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: file })
  link.click()
  URL.revokeObjectURL(url)
}
