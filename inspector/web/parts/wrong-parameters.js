import { html } from '../lib/view.js'

/**
 * Names the parameters of an address that a page cannot use: ignored in silence, they would pass for used.
 * @param {{ subject: string, wrong: readonly import('../model/filters.js').WrongFilter[], without: string }} props `without`: the
 * address without them
 */
export function WrongParameters({ subject, wrong, without }) {
  return html`<div class="notice wrong-filters" role="alert">
    <ul>
      ${wrong.map(
        ({ name, value, fault }) =>
          html`<li>The ${subject} ignores <code>${`${name}=${value}`}</code>: it ${fault}.</li>`,
      )}
    </ul>
    <a href=${without}>Remove from the address</a>
  </div>`
}
