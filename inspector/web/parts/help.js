import { html, useEffect, useRef } from '../lib/view.js'

/** @type {readonly (readonly [keys: string, does: string])[]} */
const KEYS = [
  ['j  k', 'move to the next or previous request'],
  ['Enter', 'open the request'],
  ['Esc', 'return to the list'],
  ['/', 'go to the filters'],
  ['n', 'show the new requests'],
  ['g l', 'go to the requests'],
  ['g r', 'go to the request you opened last'],
  ['g u', 'go to routes and upstreams'],
  ['g a', 'go to the calls that wait for a person'],
  ['g d', 'go to the decisions of the audit'],
  ['d', 'switch between dark and light'],
  ['?', 'show this help'],
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
