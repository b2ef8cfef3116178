import { html, useEffect, useState } from '../lib/view.js'

/** How long the button confirms that it copied the text. */
const CONFIRM_MS = 1500

/** @param {{ text: string, label: string }} props */
export function CopyButton({ text, label }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), CONFIRM_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    await copyText(text)
    setCopied(true)
  }
  return html`<button type="button" class="quiet copy" onClick=${copy}>
    <span aria-live="polite">${copied ? 'Copied' : label}</span>
  </button>`
}

/**
 * Without TLS, browsers offer the clipboard API only on localhost: fall back to `execCommand`.
 * @param {string} text
 */
async function copyText(text) {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
