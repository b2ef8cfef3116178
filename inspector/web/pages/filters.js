/** The filters of the list. The address holds them, so users can link to a filtered list. */
import { getData } from '../lib/api.js'
import { useKeys } from '../lib/keys.js'
import { listUrl, navigate } from '../lib/router.js'
import { html, useEffect, useRef, useState } from '../lib/view.js'
import { CODES, ROUTES } from '../lib/words.js'
import { TimeFilter } from './time-filter.js'

const NAMES = [
  'capability',
  'ok',
  'code',
  'route',
  'caller',
  'correlation_id',
  'batch_id',
  'since',
  'until',
]

/**
 * Picks the filters out of the query, in a fixed order, so that equal filters give equal text.
 * @param {URLSearchParams} query
 */
export function filtersOf(query) {
  return new URLSearchParams(
    NAMES.flatMap(name => {
      const value = query.get(name)
      return value ? [[name, value]] : []
    }),
  )
}

/** @param {{ query: URLSearchParams }} props */
export function Filters({ query }) {
  const first = useRef(/** @type {HTMLInputElement | null} */ (null))
  const capabilities = useCapabilities()
  useKeys({
    '/': () => first.current?.focus(),
    Escape: () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  })
  const set = (/** @type {Record<string, string>} */ changes) => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) next.set(name, value)
    navigate(listUrl(filtersOf(next)), { replace: true })
  }
  const change = (/** @type {Event} */ event) => {
    const { name, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target)
    set({ [name]: value.trim() })
  }
  const value = (/** @type {string} */ name) => query.get(name) ?? ''
  return html`<search class="filters" onChange=${change}>
    <label>
      <span>Capability</span>
      <input name="capability" list="capabilities" ref=${first} value=${value('capability')} placeholder="any" autocomplete="off" spellcheck=${false} />
      <datalist id="capabilities">${capabilities.map(id => html`<option value=${id} />`)}</datalist>
    </label>
    <${Choice} name="ok" label="Result" value=${value('ok')} options=${RESULTS} />
    <${Choice} name="code" label="Code" value=${value('code')} options=${Object.keys(CODES).map(same)} />
    <${Choice} name="route" label="Route" value=${value('route')} options=${ROUTES.map(same)} />
    <label>
      <span>Caller</span>
      <input name="caller" value=${value('caller')} placeholder="any" autocomplete="off" spellcheck=${false} />
    </label>
    <label>
      <span>Correlation id</span>
      <input name="correlation_id" value=${value('correlation_id')} placeholder="any" autocomplete="off" spellcheck=${false} />
    </label>
    ${query.has('batch_id') && html`<${BatchFilter} id=${value('batch_id')} />`}
    <${TimeFilter} since=${value('since')} until=${value('until')} onSet=${set} />
    ${query.size > 0 && html`<a class="clear" href=${listUrl()}>Clear</a>`}
  </search>`
}

/**
 * The page of a request links to the calls of its batch; nobody types such an id first.
 * @param {{ id: string }} props
 */
function BatchFilter({ id }) {
  return html`<label>
    <span>Batch</span>
    <input name="batch_id" value=${id} autocomplete="off" spellcheck=${false} />
  </label>`
}

/** @type {[string, string][]} */
const RESULTS = [
  ['true', 'ok'],
  ['false', 'failed'],
]

/**
 * @param {string} name
 * @returns {[string, string]}
 */
function same(name) {
  return [name, name]
}

/** @param {{ name: string, label: string, value: string, options: [string, string][] }} props */
function Choice({ name, label, value, options }) {
  return html`<label>
    <span>${label}</span>
    <select name=${name} value=${value}>
      <option value="">any</option>
      ${options.map(([option, text]) => html`<option value=${option} selected=${option === value}>${text}</option>`)}
    </select>
  </label>`
}

/** Suggestions only: if they fail to load, users can still type a name. */
function useCapabilities() {
  const [ids, setIds] = useState(/** @type {string[]} */ ([]))
  useEffect(() => {
    getData('/v1/capabilities')
      .then(data => setIds(/** @type {{ items: { id: string }[] }} */ (data).items.map(c => c.id)))
      .catch(() => {})
  }, [])
  return ids
}
