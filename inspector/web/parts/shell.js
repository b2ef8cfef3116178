import { approvalsUrl, attemptsUrl, auditUrl, listUrl, overviewUrl } from '../lib/router.js'
import { html, useStore } from '../lib/view.js'
import { toggleZone, zone, zoneName } from '../lib/zone.js'

/** @typedef {import('../lib/router.js').Place} Place */

/**
 * The frame around every page: links, theme button and help button.
 * @param {{ place: Place, onHelp: () => void, children?: import('../lib/view.js').Children }} props
 */
export function Shell({ place, onHelp, children }) {
  const current = (/** @type {Place['page']} */ page) => (place.page === page ? 'page' : undefined)
  return html`
    <a class="skip-link" href="#content">Skip to content</a>
    <header class="masthead">
      <a class="brand" href=${listUrl()}>
        <img src="/inspector/assets/icon.svg" alt="" width="22" height="22" />Signalbox
      </a>
      <nav aria-label="Pages">
        <a href=${overviewUrl()} aria-current=${current('overview')}>Overview</a>
        <a href=${listUrl()} aria-current=${current('list')}>Requests</a>
        <a href=${attemptsUrl()} aria-current=${current('attempts')}>Attempts</a>
        <a href=${approvalsUrl()} aria-current=${current('approvals')}>Approvals</a>
        <a href=${auditUrl()} aria-current=${current('audit')}>Audit</a>
        <a href="/docs">API</a>
      </nav>
      <${ZoneSwitch} />
      <button type="button" class="quiet" onClick=${toggleTheme} aria-label="Switch between dark and light" title="Switch between dark and light (d)">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
        </svg>
      </button>
      <button type="button" class="quiet keyboard-help" onClick=${onHelp} aria-label="Keyboard help" title="Keyboard (?)">?</button>
    </header>
    <main id="content" tabindex="-1">${children}</main>
  `
}

function ZoneSwitch() {
  const { utc } = useStore(zone)
  return html`<button type="button" class="quiet zone" aria-pressed=${utc} onClick=${toggleZone} aria-label="Show times in UTC" title="Times in ${zoneName()}: switch between the local zone and UTC (z)">
    ${zoneName()}
  </button>`
}

export function toggleTheme() {
  dispatchEvent(new Event('signalbox:toggle-theme'))
}
