/**
 * Requests over time as stacked bars, on which a time range can be selected: with the pointer by dragging, with the
 * keyboard by moving its two ends.
 */
import { formatAxisTime, formatCount } from '../lib/format.js'
import { useKeys } from '../lib/keys.js'
import { html, useRef, useState } from '../lib/view.js'
import { OUTCOMES } from '../lib/words.js'
import { OUTCOME_STACK } from '../model/overview.js'

/**
 * @typedef {import('../../../src/journal/row-schemas.ts').OutcomeBucket} OutcomeBucket
 * @typedef {import('../model/time-window.js').Range} Range
 * @typedef {{ readonly first: number, readonly last: number }} Bars the first and the last selected bar
 */

const HEIGHT = 100

/**
 * @param {{ timeline: readonly OutcomeBucket[], window: Range, bucketMs: number, selected: Range | null,
 *   onSelect: (range: Range | null) => void }} props
 */
export function Histogram({ timeline, window, bucketMs, selected, onSelect }) {
  const count = Math.round((window.until - window.since) / bucketMs)
  const indexOf = (/** @type {number} */ time) => Math.round((time - window.since) / bucketMs)
  const timeOf = (/** @type {number} */ index) => window.since + index * bucketMs
  const [draft, setDraft] = useState(/** @type {Bars | null} */ (null))
  const own = selected && { first: indexOf(selected.since), last: indexOf(selected.until) - 1 }
  const shown = draft ?? own
  const commit = (/** @type {Bars} */ { first, last }) => {
    setDraft(null)
    onSelect({ since: timeOf(first), until: timeOf(last + 1) })
  }
  const clear = () => selected && onSelect(null)
  const most = Math.max(1, ...timeline.map(heightOf))
  const describe = (/** @type {number} */ time) => formatAxisTime(time, window.until - window.since)
  const handle = { count, bars: shown ?? { first: 0, last: count - 1 }, onDraft: setDraft, timeOf }
  return html`<div class="histogram">
    <${Brush} count=${count} onDraft=${setDraft} onEnd=${commit} onClear=${clear} draft=${draft}>
      <svg viewBox="0 0 ${count} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
        <path class="grid" d="M0 0.5H${count}M0 ${HEIGHT / 2}H${count}" />
        ${timeline.map(bucket => html`<${Bar} key=${bucket.time} at=${indexOf(Date.parse(bucket.time))} bucket=${bucket} scale=${HEIGHT / most} />`)}
        ${shown && html`<path class="outside" d=${outside(shown, count)} />`}
      </svg>
      <${End} ...${handle} end="first" label="Start of the selected time" describe=${describe} onCommit=${commit} />
      <${End} ...${handle} end="last" label="End of the selected time" describe=${describe} onCommit=${commit} />
    <//>
    <p class="time-axis" aria-hidden="true">
      <span>${describe(window.since)}</span>
      <span>at most ${formatCount(most)} in ${lengthOf(bucketMs)}</span>
      <span>${describe(window.until)}</span>
    </p>
  </div>`
}

/** @param {OutcomeBucket} bucket */
function heightOf(bucket) {
  return OUTCOME_STACK.reduce((sum, name) => sum + bucket[name], 0)
}

/** @param {number} ms */
function lengthOf(ms) {
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
}

/** @param {{ at: number, bucket: OutcomeBucket, scale: number }} props */
function Bar({ at, bucket, scale }) {
  let top = HEIGHT
  const counts = OUTCOME_STACK.filter(name => bucket[name] > 0)
  const words = counts.map(name => `${formatCount(bucket[name])} ${OUTCOMES[name]}`)
  return html`<g>
    <title>${`${formatAxisTime(Date.parse(bucket.time), 0)}: ${words.join(', ')}`}</title>
    ${counts.map(name => {
      const height = bucket[name] * scale
      top -= height
      return html`<rect class=${name} x=${at + 0.08} y=${top} width="0.84" height=${height} />`
    })}
  </g>`
}

/**
 * @param {Bars} bars
 * @param {number} count
 */
function outside({ first, last }, count) {
  return `M0 0H${first}V${HEIGHT}H0zM${last + 1} 0H${count}V${HEIGHT}H${last + 1}z`
}

/**
 * @param {{ count: number, draft: Bars | null, onDraft: (bars: Bars | null) => void, onEnd: (bars: Bars) => void,
 *   onClear: () => void, children?: import('../lib/view.js').Children }} props
 */
function Brush({ count, draft, onDraft, onEnd, onClear, children }) {
  const from = useRef(/** @type {number | null} */ (null))
  const barAt = (/** @type {PointerEvent} */ { clientX, currentTarget }) => {
    const { left, width } = /** @type {HTMLElement} */ (currentTarget).getBoundingClientRect()
    return Math.min(count - 1, Math.max(0, Math.floor(((clientX - left) / width) * count)))
  }
  const begin = (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return
    const bar = barAt(event)
    from.current = bar
    capture(event)
    onDraft({ first: bar, last: bar })
  }
  const move = (/** @type {PointerEvent} */ event) => {
    if (from.current === null) return
    const bar = barAt(event)
    onDraft({ first: Math.min(bar, from.current), last: Math.max(bar, from.current) })
  }
  const end = () => {
    if (from.current === null) return
    from.current = null
    if (draft) onEnd(draft)
  }
  const cancel = () => {
    from.current = null
    onDraft(null)
  }
  useKeys({ Escape: () => (from.current === null ? onClear() : cancel()) })
  return html`<div
    class="bars"
    role="group"
    aria-label="Requests over time. Drag, or move the two ends with the arrow keys, to select a time."
    onPointerDown=${begin}
    onPointerMove=${move}
    onPointerUp=${end}
    onPointerCancel=${cancel}
  >
    ${children}
  </div>`
}

/** @param {PointerEvent} event */
function capture({ currentTarget, pointerId }) {
  const target = /** @type {HTMLElement} */ (currentTarget)
  target.setPointerCapture(pointerId)
}

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }

/**
 * One end of the selected time. Moves at once, and is selected when the key is released.
 * @param {{ end: 'first' | 'last', label: string, count: number, bars: Bars, timeOf: (index: number) => number,
 *   describe: (time: number) => string, onDraft: (bars: Bars) => void, onCommit: (bars: Bars) => void }} props
 */
function End({ end, label, count, bars, timeOf, describe, onDraft, onCommit }) {
  const at = end === 'first' ? bars.first : bars.last + 1
  const low = end === 'first' ? 0 : bars.first
  const high = end === 'first' ? bars.last : count - 1
  const move = (/** @type {KeyboardEvent} */ event) => {
    const { key } = event
    const target =
      key === 'Home' ? low : key === 'End' ? high : bars[end] + (STEPS[key] ?? Number.NaN)
    if (Number.isNaN(target)) return
    event.preventDefault()
    onDraft({ ...bars, [end]: Math.min(high, Math.max(low, target)) })
  }
  const release = (/** @type {KeyboardEvent} */ { key }) => {
    if (key in STEPS || key === 'Home' || key === 'End') onCommit(bars)
  }
  return html`<span
    class="end"
    role="slider"
    tabindex="0"
    aria-label=${label}
    aria-valuemin=${timeOf(0)}
    aria-valuemax=${timeOf(count)}
    aria-valuenow=${timeOf(at)}
    aria-valuetext=${describe(timeOf(at))}
    style=${{ left: `${(at / count) * 100}%` }}
    onKeyDown=${move}
    onKeyUp=${release}
  />`
}
