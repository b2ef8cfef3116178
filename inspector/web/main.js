import { App, loadList } from './app.js'
import { html, render } from './lib/view.js'

// The rows are on their way while the page is drawn.
loadList()
render(html`<${App} />`, document.body)
