import { html } from '../lib/view.js'
import { usedParameters, wrongParameters } from '../model/page-query.js'
import { WrongParameters } from './wrong-parameters.js'

/**
 * Says what the page of an address ignores. The lists say so themselves.
 * @param {{ place: import('../lib/router.js').Place }} props
 */
export function WrongQuery({ place }) {
  if (place.page === 'list' || place.page === 'attempts' || place.page === 'unknown') return null
  const wrong = wrongParameters(place.page, place.query)
  if (wrong.length === 0) return null
  const text = usedParameters(place.page, place.query).toString()
  const without = `${location.pathname}${text === '' ? '' : `?${text}`}`
  return html`<${WrongParameters} subject="page" wrong=${wrong} without=${without} />`
}
