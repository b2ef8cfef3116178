import { presentKey } from '../lib/api.js'
import { html } from '../lib/view.js'

/** Asks for a gateway key. The scope of the key decides which requests the page shows. */
export function KeyForm(/** @type {{ refusal: string | null }} */ { refusal }) {
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.target)
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('key'))
    presentKey(field.value.trim())
  }
  return html`<main class="key-form">
    <form onSubmit=${submit}>
      <h1>This gateway needs a key</h1>
      <p>
        A key shows the requests of its caller; a key with the operator scope shows all requests. The browser
        keeps the key until you close this tab.
      </p>
      <label for="key">Gateway key</label>
      <input id="key" name="key" type="password" autocomplete="off" required autofocus />
      ${refusal && html`<p class="notice" role="alert">${refusal}</p>`}
      <button type="submit" class="primary">Open the inspector</button>
    </form>
  </main>`
}
