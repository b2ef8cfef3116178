/** Two requests side by side, with their differences marked. */
import { getData } from '../lib/api.js'
import { formatDuration } from '../lib/format.js'
import { requestUrl } from '../lib/router.js'
import { useData } from '../lib/use-data.js'
import { html } from '../lib/view.js'
import { idOfAddress } from '../model/ids.js'
import { describeRequest } from '../model/story.js'
import { differencesOf } from '../model/tree.js'
import { Notice } from '../parts/notice.js'

/** @typedef {import('../../../src/journal/row-schemas.ts').RequestDetail} RequestDetail */

/** @param {{ query: URLSearchParams }} props */
export function ComparePage({ query }) {
  const a = useRequest(query, 'a')
  const b = useRequest(query, 'b')
  const failed = [a, b].filter(({ failure }) => failure !== null)
  return html`
    <h1>Two requests</h1>
    ${failed.map(one => html`<${Notice} key=${one.name} message=${one.failure ?? ''} onRetry=${one.reload} />`)}
    ${failed.length === 0 && !(a.data && b.data) && html`<p class="empty">Loading…</p>`}
    ${a.data && b.data && html`<${Comparison} a=${a.data} b=${b.data} />`}
  `
}

const PLACES = { a: 'first', b: 'second' }

/**
 * One of the two requests. Its failure says which of them is missing.
 * @param {URLSearchParams} query
 * @param {'a' | 'b'} name
 */
function useRequest(query, name) {
  const id = idOfAddress(query.get(name) ?? '')
  const { data, failure, reload } = useData(
    id === '' ? '' : `/v1/requests/${encodeURIComponent(id)}`,
    /** @type {RequestDetail | null} */ (null),
    (path, signal) => (path === '' ? Promise.resolve(null) : getData(path, signal)),
  )
  const told =
    id === ''
      ? `The address names no ${PLACES[name]} request: it lacks ${name}=ID.`
      : failure && `The ${PLACES[name]} request, ${id.slice(0, 60)}: ${failure}`
  return { name, data, failure: told, reload }
}

/** @param {{ a: RequestDetail, b: RequestDetail }} props */
function Comparison({ a, b }) {
  return html`<article class="request">
    <section aria-labelledby="both">
      <h2 id="both">What happened</h2>
      <table class="differences" aria-labelledby="both">
        <thead><tr><th scope="col">Fact</th><${Head} request=${a} /><${Head} request=${b} /></tr></thead>
        <tbody>
          ${factsOf(a).map(([name, one], at) => {
            const other = factsOf(b)[at]?.[1]
            return html`<tr class=${one === other ? '' : 'differs'}>
              <th scope="row">${name}${one !== other && html`<span class="visually-hidden"> differs</span>`}</th>
              <td>${one}</td><td>${other ?? ''}</td>
            </tr>`
          })}
        </tbody>
      </table>
    </section>
    <${Places} title="Input" a=${a.input} b=${b.input} />
    <${Places} title="Options" a=${a.options} b=${b.options} />
    <${Places} title="Plan" a=${a.plan} b=${b.plan} />
    <${Places} title="Attempts" a=${attemptsOf(a)} b=${attemptsOf(b)} />
    <${Places} title="Error" a=${a.error} b=${b.error} />
    <${Places} title="Answer" a=${a.data} b=${b.data} />
  </article>`
}

/** @param {{ request: RequestDetail }} props */
function Head({ request: { request_id } }) {
  return html`<th scope="col"><a href=${requestUrl(request_id)}><code>${request_id}</code></a></th>`
}

/**
 * @param {RequestDetail} request
 * @returns {[string, string][]}
 */
function factsOf(request) {
  const { capability_id, caller, code, route_used, reason, http_status } = request
  const { attempts, duration_ms } = request
  return [
    ['Story', describeRequest(request)],
    ['Capability', capability_id ?? 'none'],
    ['Caller', caller],
    ['Result', code ?? 'OK'],
    ['HTTP status', String(http_status ?? 'not known')],
    ['Route', route_used ?? 'none'],
    ['Reason', reason ?? 'none'],
    ['Attempts', String(attempts)],
    ['Duration', formatDuration(duration_ms)],
  ]
}

/** @param {RequestDetail} request */
function attemptsOf({ meta }) {
  return meta?.attempts.map(({ started_ms: _start, duration_ms: _time, ...told }) => told) ?? []
}

/** @param {{ title: string, a: unknown, b: unknown }} props */
function Places({ title, a, b }) {
  const places = differencesOf(a, b)
  const id = `compare-${title.toLowerCase()}`
  return html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${places.length === 0 && html`<p class="lead">The same in both.</p>`}
    ${
      places.length > 0 &&
      html`<table class="differences" aria-labelledby=${id}>
        <thead><tr><th scope="col">Member</th><th scope="col">First</th><th scope="col">Second</th></tr></thead>
        <tbody>
          ${places.slice(0, 200).map(
            ({ path, a: one, b: other }) => html`<tr class="differs">
              <th scope="row"><code>${path || 'all'}</code></th>
              <td>${one === null ? '–' : one}</td><td>${other === null ? '–' : other}</td>
            </tr>`,
          )}
        </tbody>
      </table>`
    }
  </section>`
}
