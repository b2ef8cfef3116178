import { html } from '../lib/view.js'

/** @param {{ name: string, children?: import('../lib/view.js').Children }} props */
export function Fact({ name, children }) {
  return html`<div><dt>${name}</dt><dd>${children}</dd></div>`
}
