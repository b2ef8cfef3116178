/** Scripts that measure from within the page of the inspector. They are texts: this program has no types of a page. */

export interface Scrolled {
  readonly drawn: number
  readonly elements: number
  readonly loaded: number
  /** How often more rows were there. */
  readonly steps: number
}

/** Milliseconds from the navigation to the first frame with rows. */
export const FIRST_ROWS = `new Promise(resolve => {
  const look = () =>
    document.querySelectorAll('.requests tbody tr').length > 10 ? resolve(performance.now()) : requestAnimationFrame(look)
  look()
})`

/** The files and answers that the page has loaded. */
export const LOADED = `performance.getEntriesByType('resource').length + 1`

/** Milliseconds from the change of a filter to the first frame with the rows of another list. */
export const setFilter = (name: string, value: string): string => `new Promise(resolve => {
  const table = document.querySelector('.requests')
  const field = document.querySelector('.filters [name="${name}"]')
  const began = performance.now()
  field.value = ${JSON.stringify(value)}
  field.dispatchEvent(new Event('change', { bubbles: true }))
  const look = () => {
    const now = document.querySelector('.requests, .empty h2')
    if (now && now !== table) resolve(performance.now() - began)
    else requestAnimationFrame(look)
  }
  look()
})`

export const SCROLL_TO_END = `(async () => {
  const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
  let [drawn, elements, loaded, steps, still] = [0, 0, 0, 0, 0]
  while (still < 300) {
    scrollTo(0, document.documentElement.scrollHeight)
    await frame()
    drawn = Math.max(drawn, document.querySelectorAll('.requests tbody tr').length)
    elements = Math.max(elements, document.querySelectorAll('*').length)
    const now = Number(document.querySelector('.requests').getAttribute('aria-rowcount')) - 1
    still = now === loaded ? still + 1 : 0
    steps += now === loaded ? 0 : 1
    loaded = now
    if (document.querySelector('.older') === null) break
  }
  return { drawn, elements, loaded, steps }
})()`
