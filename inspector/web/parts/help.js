import { html, useLayoutEffect, useRef } from '../lib/view.js'

/** @type {readonly (readonly [keys: string, does: string])[]} */
const KEYS = [
  ['/', 'search'],
  ['j  k', 'move to the next or previous row'],
  ['o  Enter', 'open it'],
  ['Esc', 'leave a field; drop the selected time; return to the list, at the same row'],
  [']  [', 'move to the next or previous attempt of a request'],
  ['p', 'pause or resume the list'],
  ['n', 'show the new requests'],
  ['g l', 'go to the requests'],
  ['g t', 'go to the attempts'],
  ['g r', 'go to the request you opened last'],
  ['g o', 'go to the overview'],
  ['g a', 'go to the calls that wait for a person'],
  ['g d', 'go to the decisions of the audit'],
  ['z', 'switch between local times and UTC'],
  ['d', 'switch between dark and light'],
  ['?', 'show this help'],
]

/** @param {{ onClose: () => void }} props */
export function Help({ onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null))
  useLayoutEffect(() => dialog.current?.showModal(), [])
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
    <p>The id of a request, a batch, a trace or an approval, pasted anywhere, opens its page.</p>
    <button type="button" class="primary" onClick=${() => dialog.current?.close()}>Close</button>
  </dialog>`
}
