/**
 * Sends calls at an even rate until stdin ends, a create among every six, and prints how they ended as JSON.
 *
 *   node load.mjs URL KEY CALLS_PER_SECOND
 */
import { setTimeout as delay } from 'node:timers/promises'

const [url, key, rate] = process.argv.slice(2)
const repository = { owner: 'octo-org', name: 'hello-world' }
const pending = []
let ending = false
process.stdin.resume().on('end', () => {
  ending = true
})

const begin = performance.now()
for (let sent = 0; !ending; sent++) {
  const call = sent % 6 === 0 ? create(`Rolled ${sent}`) : read()
  pending.push(call)
  await delay(Math.max(0, begin + (sent + 1) * (1000 / rate) - performance.now()))
}
const calls = await Promise.all(pending)
process.stdout.write(JSON.stringify(calls))

function read() {
  return call('repo.view', repository)
}

function create(title) {
  return call('issue.create', { ...repository, title })
}

async function call(capability, input) {
  const title = input.title ?? null
  try {
    const response = await fetch(`${url}/v1/capabilities/${capability}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const text = await response.text()
    const { ok, error, meta } = text.startsWith('{') ? JSON.parse(text) : {}
    return { title, status: response.status, ok, error, id: meta?.request_id ?? null }
  } catch (error) {
    return { title, status: 0, ok: false, error: String(error.cause ?? error), id: null }
  }
}
