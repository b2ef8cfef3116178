import { App } from './app.js'
import { html, render } from './lib/view.js'

render(html`<${App} />`, document.body)
