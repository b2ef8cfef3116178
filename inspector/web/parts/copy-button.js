import { html, useEffect, useState } from '../lib/view.js'

const TOLD_MS = 1500

/** @param {{ text: string, label: string }} props */
export function CopyButton({ text, label }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), TOLD_MS)
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
 * Without TLS, browsers give no clipboard except on this machine; there, the old way still works.
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
