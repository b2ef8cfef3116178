/** Links to named sets of filters, and a way to save and delete one's own. */
import { approvalsUrl, listUrl } from '../lib/router.js'
import { html, useState, useStore } from '../lib/view.js'
import {
  deleteView,
  isActive,
  openView,
  QUICK_VIEWS,
  saved,
  saveView,
  toggleView,
  withoutTimes,
} from '../model/views.js'

/** @param {{ filters: URLSearchParams }} props */
export function Views({ filters }) {
  const { views } = useStore(saved)
  const own = withoutTimes(filters).toString()
  return html`<nav class="views" aria-label="Views">
    <ul>
      ${QUICK_VIEWS.map(
        ([name, of]) =>
          html`<li key=${name}><a href=${listUrl(toggleView(filters, of))} aria-current=${isActive(filters, of) ? 'true' : undefined}>${name}</a></li>`,
      )}
      <li class="elsewhere"><a href=${approvalsUrl()}>Waiting for approval</a></li>
      ${views.map(
        view =>
          html`<li key="saved ${view.name}" class="saved">
            <a href=${listUrl(openView(filters, view))} aria-current=${view.query === own ? 'true' : undefined}>${view.name}</a>
            <button type="button" class="quiet" aria-label="Delete the view ${view.name}" title="Delete" onClick=${() => deleteView(view.name)}>×</button>
          </li>`,
      )}
      ${own !== '' && !views.some(({ query }) => query === own) && html`<li><${SaveView} filters=${filters} /></li>`}
    </ul>
  </nav>`
}

/** @param {{ filters: URLSearchParams }} props */
function SaveView({ filters }) {
  const [naming, setNaming] = useState(false)
  if (!naming) {
    return html`<button type="button" class="quiet copy" onClick=${() => setNaming(true)}>Save as view</button>`
  }
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault()
    const form = /** @type {HTMLFormElement} */ (event.target)
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'))
    saveView(field.value, filters)
    setNaming(false)
  }
  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Escape') setNaming(false)
  }
  return html`<form class="save-view" onSubmit=${submit} onKeyDown=${leave}>
    <input name="name" required maxlength="60" aria-label="Name of the view" placeholder="Name" autocomplete="off" autofocus />
    <button type="submit">Save</button>
  </form>`
}
