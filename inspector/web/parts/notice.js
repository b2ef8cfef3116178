import { html } from '../lib/view.js'

/**
 * Reports that something could not be loaded, and offers to try again.
 * @param {{ message: string, onRetry?: () => void }} props
 */
export function Notice({ message, onRetry }) {
  return html`<p class="notice" role="alert">
    ${message} ${onRetry && html`<button type="button" onClick=${onRetry}>Try again</button>`}
  </p>`
}
