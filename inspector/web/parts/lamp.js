/** Signs for success, error and skipped. They differ in shape as well as in colour. */
import { html } from '../lib/view.js'

/** @typedef {'success' | 'error' | 'skipped'} Status */

const SHAPES = {
  success: html`<path class="mark" d="M4.2 8.3 7 11l4.8-5.6" />`,
  error: html`<path class="mark" d="m5.2 5.2 5.6 5.6m0-5.6-5.6 5.6" />`,
  skipped: html`<path class="mark" d="M5 8h6" />`,
}

/** @param {{ status: Status }} props */
export function Lamp({ status }) {
  return html`<svg class="lamp ${status}" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="7" />
    ${SHAPES[status]}
  </svg>`
}

/** The result of a request: OK, or its error code. */
export function ResultLamp(/** @type {{ ok: boolean, code: string | null }} */ { ok, code }) {
  return html`<span class="result-lamp ${ok ? 'success' : 'error'}">
    <${Lamp} status=${ok ? 'success' : 'error'} />${ok ? 'OK' : (code ?? 'no answer')}
  </span>`
}
