/** Signs for the forms of a request. They differ in shape, so that no colour is needed to tell them apart. */
import { html } from '../lib/view.js'

/** @typedef {import('../model/form.js').Form} Form */

/** @type {Record<Form, string>} */
const PATHS = {
  sent: 'M3 8h9m-3-3 3 3-3 3',
  replayed: 'M12.5 8a4.5 4.5 0 1 1-1.4-3.2M11.5 2v3h-3',
  coalesced: 'M2.5 4c4 0 4 4 7 4m-7 4c4 0 4-4 7-4h4',
  memory: 'M3 4.5h10v8H3zM3 7.5h10',
  stale: 'M3 4.5h10v8H3zM3 7.5h10M5 2h6',
  revalidated: 'M2.5 8.5 5 11l4-5m-1 3.5L9.5 11l4-5',
  recovered: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9m3.3 7.8L14 14',
  unknown: 'M5.5 6a2.5 2.5 0 1 1 3.8 2.1C8.4 8.6 8 9 8 10m0 2v1',
  resent: 'M2 8h3m2-3v6m2-3h4m-3-3 3 3-3 3',
  interrupted: 'M2 8h4m4 0h4M7 4l2 8',
  refused: 'M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM5.5 8h5',
  waiting: 'M4.5 2.5h7L8 8zm0 11h7L8 8z',
}

/** @param {{ form: Form }} props */
export function Sign({ form }) {
  return html`<svg class="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d=${PATHS[form]} fill="none" stroke="currentColor" stroke-width="1.5" />
  </svg>`
}
