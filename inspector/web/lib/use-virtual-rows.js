/** Draws only the rows of a long table that are near the screen. The window scrolls, not a box in it. */
import {
  defaultRangeExtractor,
  observeWindowOffset,
  observeWindowRect,
  Virtualizer,
  windowScroll,
} from '../vendor/virtual-core/index.js'
import { useLayoutEffect, useMemo, usePainted, useReducer, useRef } from './view.js'

/** The height of a row before it is measured. */
const ROW_HEIGHT = 33
/** The least height of all that stands above the rows. The table draws the rows that find room below it, before it measures. */
const ABOVE = 200
/** Rows drawn beyond each edge of the screen, so that fast scrolling shows no blank. The first painting does without them. */
const OVERSCAN = 12

/**
 * @typedef {import('../vendor/virtual-core/index.js').VirtualItem} VirtualItem
 * @typedef {import('../vendor/virtual-core/index.js').VirtualizerOptions<Window, HTMLElement>} Options
 * @typedef {{ readonly scrollTop: number, readonly sizes: VirtualItem[] }} Position
 */

/**
 * @param {object} props
 * @param {number} props.count
 * @param {(index: number) => string} props.keyOf must be another function when the rows change
 * @param {number} props.kept the index of a row to draw wherever it is, because it has the focus; -1 for none
 * @param {Position} props.start
 */
export function useVirtualRows({ count, keyOf, kept, start }) {
  const [, redraw] = useReducer((/** @type {number} */ times) => times + 1, 0)
  const body = useRef(/** @type {HTMLElement | null} */ (null))
  const margin = useRef(0)
  const head = useRef(0)
  const rangeExtractor = useMemo(() => extractorWith(kept), [kept])
  const virtual = useVirtualizer({
    ...OF_WINDOW,
    count,
    overscan: usePainted() ? OVERSCAN : 0,
    getItemKey: keyOf,
    rangeExtractor,
    initialRect: { width: innerWidth, height: Math.max(innerHeight - ABOVE, ROW_HEIGHT) },
    initialOffset: start.scrollTop,
    initialMeasurementsCache: start.sizes,
    scrollMargin: margin.current,
    scrollPaddingStart: head.current,
    onChange: () => redraw(undefined),
  })
  useLayoutEffect(() => {
    // Only here, after all changes of the page: the browser lays the page out to answer.
    head.current = headHeight(body.current)
    const top = topOf(body.current)
    if (top === margin.current) return
    margin.current = top
    redraw(undefined)
  })
  const items = virtual.getVirtualItems()
  const end = virtual.getTotalSize() + margin.current
  return { body, virtual, items, gaps: gapsOf(items, end, margin.current) }
}

/** @satisfies {Partial<Options>} */
const OF_WINDOW = {
  estimateSize: () => ROW_HEIGHT,
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
}

/**
 * The calls with an underscore are those of the library's own adapters to React and others.
 * @param {Options} options
 */
function useVirtualizer(options) {
  const instance = useRef(/** @type {Virtualizer<Window, HTMLElement> | null} */ (null))
  instance.current ??= new Virtualizer(options)
  const virtual = instance.current
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [])
  useLayoutEffect(() => virtual._willUpdate())
  return virtual
}

/** @param {number} kept */
function extractorWith(kept) {
  return (/** @type {import('../vendor/virtual-core/index.js').Range} */ range) => {
    const indexes = defaultRangeExtractor(range)
    if (kept < 0 || kept >= range.count || indexes.includes(kept)) return indexes
    return [...indexes, kept].sort((a, b) => a - b)
  }
}

/**
 * The heights of what is not drawn: before each drawn row, and after the last.
 * @param {readonly VirtualItem[]} items
 * @param {number} end
 * @param {number} margin
 */
function gapsOf(items, end, margin) {
  let bottom = margin
  const before = items.map(item => {
    const gap = item.start - bottom
    bottom = item.end
    return gap
  })
  return { before, after: end - bottom }
}

/** @param {HTMLElement | null} body */
function topOf(body) {
  return body ? Math.round(body.getBoundingClientRect().top + scrollY) : 0
}

/**
 * The head of the table stays at the top of the screen and covers the rows there.
 * @param {HTMLElement | null} body
 */
function headHeight(body) {
  const head = body?.previousElementSibling
  return head instanceof HTMLElement ? head.offsetHeight : 0
}
