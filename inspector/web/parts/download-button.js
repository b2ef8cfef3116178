import { authorized, messageOf, send } from '../lib/api.js'
import { html, useState } from '../lib/view.js'

/**
 * Saves the response of an API path as a file. A plain link could not send the gateway key.
 * @param {{ path: string, file: string, label: string }} props
 */
export function DownloadButton({ path, file, label }) {
  const [failure, setFailure] = useState('')
  const save = async () => {
    try {
      const response = await send(path, { headers: authorized() })
      saveAs(file, await response.blob())
      setFailure('')
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  return html`<button type="button" class="quiet copy" onClick=${save}>${label}</button>
    ${failure && html`<span role="alert">${failure}</span>`}`
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
