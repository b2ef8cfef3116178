import { html, useEffect, useRef } from '../lib/view.js'

/** @type {readonly (readonly [keys: string, does: string])[]} */
const KEYS = [
  ['j  k', 'next, previous request'],
  ['Enter', 'open it'],
  ['Esc', 'back to the list'],
  ['/', 'to the filters'],
  ['n', 'show new requests that wait'],
  ['g l', 'the list of requests'],
  ['g r', 'the last request that was open'],
  ['g u', 'routes and upstreams'],
  ['d', 'dark or light'],
  ['?', 'this help'],
]

/** @param {{ onClose: () => void }} props */
export function Help({ onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useEffect(() => dialog.current?.showModal(), [])
  return html`<dialog ref=${dialog} class="help" onClose=${onClose} aria-labelledby="help-title">
    <h2 id="help-title">Keyboard</h2>
    <dl>
      ${KEYS.map(
        ([keys, does]) => html`<div>
          <dt>${keys.split('  ').map(key => html`<kbd>${key}</kbd>`)}</dt>
          <dd>${does}</dd>
        </div>`,
      )}
    </dl>
    <button type="button" class="primary" onClick=${() => dialog.current?.close()}>Close</button>
  </dialog>`
}
