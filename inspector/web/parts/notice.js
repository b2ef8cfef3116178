import { html } from '../lib/view.js'

/**
 * Something that could not be loaded, and a way to try again.
 * @param {{ message: string, onRetry?: () => void }} props
 */
export function Notice({ message, onRetry }) {
  return html`<p class="notice" role="alert">
    ${message} ${onRetry && html`<button type="button" onClick=${onRetry}>Try again</button>`}
  </p>`
}
