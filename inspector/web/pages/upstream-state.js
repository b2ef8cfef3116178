import { authorized, messageOf, send } from '../lib/api.js'
import { formatCount, formatDuration } from '../lib/format.js'
import { html, useState } from '../lib/view.js'
import { Lamp } from '../parts/lamp.js'

/**
 * @typedef {import('../../../src/observe/upstream-status.ts').UpstreamStatus} UpstreamStatus
 * @typedef {UpstreamStatus['routes'][number]} RouteStatus
 * @typedef {UpstreamStatus['pools'][number]} PoolStatus
 */

/**
 * Which routes are in service, and how much of each quota is left.
 * @param {{ status: UpstreamStatus, onReset: () => void }} props
 */
export function UpstreamState({ status: { id, description, routes, pools }, onReset }) {
  return html`<section class="upstream" aria-labelledby="now">
    <h2 id="now">Now</h2>
    ${description && html`<p class="lead">${description}</p>`}
    ${isBlocked(routes, pools) && html`<${Reset} id=${id} onReset=${onReset} />`}
    <ul class="breakers" aria-label="Routes of ${id}">
      ${routes.map(route => html`<${Breaker} route=${route} />`)}
    </ul>
    <ul class="pools" aria-label="Quotas of ${id}">
      ${pools.map(pool => html`<${Pool} pool=${pool} />`)}
    </ul>
  </section>`
}

/**
 * @param {readonly RouteStatus[]} routes
 * @param {readonly PoolStatus[]} pools
 */
function isBlocked(routes, pools) {
  return (
    routes.some(({ breaker }) => breaker.state !== 'closed') ||
    pools.some(({ exhausted }) => exhausted)
  )
}

/**
 * Lets operators have the next call try routes that the gateway skips now.
 * @param {{ id: string, onReset: () => void }} props
 */
function Reset({ id, onReset }) {
  const [failure, setFailure] = useState(/** @type {string | null} */ (null))
  const reset = async () => {
    try {
      await send(`/v1/upstreams/${encodeURIComponent(id)}/reset`, {
        method: 'POST',
        headers: authorized({ 'content-type': 'application/json' }),
        body: '{}',
      })
      setFailure(null)
      onReset()
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  return html`
    <p class="actions">
      <button type="button" onClick=${reset}>Reset quotas and circuits of ${id}</button>
    </p>
    ${failure && html`<p class="notice" role="alert">${failure}</p>`}
  `
}

/** @param {{ route: RouteStatus }} props */
function Breaker({ route: { route, unavailable, breaker, bulkhead } }) {
  return html`<li>
    <${Lamp} status=${unavailable ? 'skipped' : breaker.state === 'closed' ? 'success' : 'error'} />
    <strong>${route}</strong>
    <span>${unavailable ? 'not available' : stateOf(breaker)}</span>
    ${bulkhead && html`<small>${bulkhead.running} of ${bulkhead.max_running} running, ${bulkhead.waiting} waiting</small>`}
    ${unavailable && html`<small title=${unavailable.message}>${unavailable.fix}</small>`}
  </li>`
}

/** @param {RouteStatus['breaker']} breaker */
function stateOf({ state, failures, retry_after_ms }) {
  if (state === 'closed')
    return failures > 0 ? `in service, ${failures} failed in a row` : 'in service'
  const until = retry_after_ms === null ? '' : `, next try in ${formatDuration(retry_after_ms)}`
  return `${state === 'open' ? 'breaker open' : 'breaker half open'}${until}`
}

/** @param {{ pool: PoolStatus }} props */
function Pool({ pool: { pool, credential, limit, remaining, reset_in_ms, exhausted } }) {
  const known = limit !== null && remaining !== null
  return html`<li class=${exhausted ? 'exhausted' : ''}>
    <strong>${pool}</strong> ${credential && html`<small>${credential}</small>`}
    ${
      known &&
      html`<meter min="0" max=${limit} low=${limit * 0.1} value=${remaining} aria-label="Remaining of ${pool}" />`
    }
    <span>
      ${remaining === null ? 'not reported yet' : `${formatCount(remaining)}${limit === null ? '' : ` of ${formatCount(limit)}`} left`}
    </span>
    ${reset_in_ms !== null && html`<small>resets in ${formatDuration(reset_in_ms)}</small>`}
  </li>`
}
