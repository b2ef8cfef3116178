/** The filters of a list: one search box, those that people use most, and the others folded. */
import { getData } from '../lib/api.js'
import { useKeys } from '../lib/keys.js'
import { moreOf } from '../lib/lists.js'
import { openFound, openId } from '../lib/open-id.js'
import { navigate } from '../lib/router.js'
import { Store } from '../lib/store.js'
import { html, usePainted, useRef, useStore } from '../lib/view.js'
import { withFilters, wordsOf } from '../model/filters.js'
import { exactId } from '../model/ids.js'
import { TimeFilter } from './time-filter.js'

/** @typedef {import('../lib/lists.js').List} List */

/** @param {{ list: List, filters: URLSearchParams }} props */
export function Filters({ list, filters }) {
  const more = moreOf(list)
  /** @type {(changes: Record<string, string>, typedIn?: string) => void} */
  const set = (changes, typedIn) =>
    navigate(list.urlOf(withFilters(filters, changes, list.known)), { typedIn })
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target)
    if (isWrong(field, list.known[field.name])) return
    set({ [field.name]: field.value.trim() })
  }
  const field = (/** @type {string} */ name) =>
    html`<${Field} key=${name} filter=${list.known[name]} value=${filters.get(name) ?? ''} />`
  const active = more.filter(name => filters.has(name)).length
  return html`<search class="filters" onChange=${change}>
    <${SearchBox} value=${filters.get('q') ?? ''} onSet=${set} />
    <div class="first">
      ${list.first.map(field)}
      <${TimeFilter} since=${filters.get('since') ?? ''} until=${filters.get('until') ?? ''} onSet=${set} />
    </div>
    <details class="more">
      <summary>More filters${active > 0 && html` <span class="count">${active}</span>`}</summary>
      <${AfterPaint}><div class="fields">${more.map(field)}</div><//>
    </details>
  </search>`
}

/**
 * Draws its children after the page has been painted without them. A component of its own, because to draw the other fields again would drop
 * what the user types meanwhile.
 * @param {{ children?: import('../lib/view.js').Children }} props
 */
function AfterPaint({ children }) {
  return usePainted() && children
}

/**
 * Says at the field what is wrong with its value, and leaves the list as it is.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {import('../model/filters.js').Filter | undefined} filter
 */
function isWrong(field, filter) {
  const { pattern, form } = filter ?? {}
  const value = field.value.trim()
  const wrong = value !== '' && pattern !== undefined && !pattern.test(value)
  field.setCustomValidity(wrong ? `This must be ${form}.` : '')
  if (wrong) field.reportValidity()
  return wrong
}

/**
 * Searches for a text. Opens the request, if the text is an id.
 * @param {{ value: string, onSet: (changes: Record<string, string>) => void }} props
 */
function SearchBox({ value, onSet }) {
  const box = useRef(/** @type {HTMLInputElement | null} */ (null))
  useKeys({
    '/': () => {
      box.current?.focus()
      box.current?.select()
    },
    Escape: () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  })
  const text = () => box.current?.value ?? ''
  const search = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && !openFound(text())) onSet({ q: wordsOf(text()) })
  }
  const change = (/** @type {Event} */ event) => {
    event.stopPropagation()
    // The browser also reports a change when the page with the box goes away.
    if (box.current?.value === '') onSet({ q: '' })
  }
  return html`<label class="search">
    <span class="visually-hidden">Search</span>
    <input
      type="search"
      name="q"
      ref=${box}
      value=${value}
      placeholder="Search: an id, part of a capability, or words"
      title="Search (/)"
      autocomplete="off"
      spellcheck=${false}
      onKeyDown=${search}
      onInput=${() => openIfId(text())}
      onChange=${change}
    />
  </label>`
}

/**
 * Opens an id in full, typed or pasted. Any other text waits for Enter.
 * @param {string} text
 */
function openIfId(text) {
  const id = exactId(text)
  if (id) void openId(id)
  return id !== null
}

/** @param {{ filter: import('../model/filters.js').Filter, value: string }} props */
function Field({ filter, value }) {
  const { name, label, options, placeholder } = filter
  if (name === 'capability') return html`<${CapabilityField} filter=${filter} value=${value} />`
  if (options) {
    return html`<label>
      <span>${label}</span>
      <select name=${name} value=${value}>
        <option value="">any</option>
        ${options.map(([option, text]) => html`<option value=${option} selected=${option === value}>${text}</option>`)}
      </select>
    </label>`
  }
  return html`<label>
    <span>${label}</span>
    <input name=${name} value=${value} placeholder=${placeholder} maxlength="200" autocomplete="off" spellcheck=${false} />
  </label>`
}

/** @param {{ filter: import('../model/filters.js').Filter, value: string }} props */
function CapabilityField({ filter: { label, placeholder }, value }) {
  return html`<label>
    <span>${label}</span>
    <input name="capability" list="capabilities" onFocus=${suggest} value=${value} placeholder=${placeholder} maxlength="200" autocomplete="off" spellcheck=${false} />
    <${Suggestions} />
  </label>`
}

const suggestions = new Store({ ids: /** @type {string[]} */ ([]), asked: false })

/** Suggestions only: if they fail to load, users can still type a name. A large pack takes a while, so load them on demand. */
function suggest() {
  if (suggestions.state.asked) return
  suggestions.update({ asked: true })
  getData('/v1/capabilities')
    .then(data => {
      const { items } = /** @type {{ items: { id: string }[] }} */ (data)
      suggestions.update({ ids: items.map(({ id }) => id) })
    })
    .catch(() => suggestions.update({ asked: false }))
}

/** Apart from the field: drawing that again would drop what the user has typed meanwhile. */
function Suggestions() {
  const { ids } = useStore(suggestions)
  return html`<datalist id="capabilities">${ids.map(id => html`<option value=${id} />`)}</datalist>`
}
