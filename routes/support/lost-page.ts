/** People who open a wrong address in a browser get a page that leads on; every other client gets the envelope. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { showUnseen } from '../../src/lib/show-unseen.ts'
import { PAGE_HEADERS } from './page-headers.ts'

type Visit = Pick<FastifyRequest, 'headers'>

/**
 * Whether a person opens the address in a browser. Browsers name the purpose of a request only to `localhost` and over TLS; elsewhere
 * they can be told by the types that they all accept first.
 */
export function isBrowserVisit({ headers }: Visit): boolean {
  const { accept = '' } = headers
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate' && accept.includes('text/html')
  return accept.startsWith('text/html,application/xhtml+xml')
}

/** Whether a wrong address gets the page: not below `/v1`, which is the API for everybody. */
export function isLostVisit(request: Visit & Pick<FastifyRequest, 'url'>): boolean {
  return isBrowserVisit(request) && !/^\/v1(?:[/?]|$)/.test(request.url)
}

export function sendLostPage({ method, url }: FastifyRequest, reply: FastifyReply, status: number) {
  const [path = ''] = url.split('?')
  const asked = `${method === 'GET' ? '' : `${method} `}${path.slice(0, 200)}`
  return (
    reply
      .code(status)
      .headers(PAGE_HEADERS)
      // A cache may not give the page to a client that wants the envelope.
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(PAGE.replace('{asked}', () => asText(asked)))
  )
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function asText(text: string): string {
  return showUnseen(text).replaceAll(/[&<>]/g, sign => ESCAPES[sign] ?? '')
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>No such page · Signalbox</title>
    <link rel="icon" href="/inspector/assets/icon.svg" type="image/svg+xml" />
    <script src="/inspector/assets/theme.js"></script>
    <link rel="stylesheet" href="/inspector/assets/styles.css" />
  </head>
  <body>
    <main class="empty">
      <h1>No such page</h1>
      <p>This gateway has nothing at <code>{asked}</code>. It has:</p>
      <ul class="meant">
        <li><a href="/inspector">Inspector</a>, the requests and why each took its route</li>
        <li><a href="/docs">Documentation of the API</a>, every endpoint and capability</li>
        <li><a href="/openapi.json">openapi.json</a>, the same for programs</li>
      </ul>
    </main>
  </body>
</html>
`
