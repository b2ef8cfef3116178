/**
 * Compares the answers that load.mjs printed with the journal and with the issues of the sandbox. Prints what
 * does not agree, and exits with 1 if anything does not.
 *
 *   node account.mjs URL KEY SANDBOX_URL <ANSWERS
 */
import { readFileSync } from 'node:fs'

const [url, key, sandbox] = process.argv.slice(2)
const calls = JSON.parse(readFileSync(0, 'utf8'))
const faults = []

for (const call of calls) if (!call.ok) faults.push(`not answered well: ${JSON.stringify(call)}`)

const ids = calls.map(({ id }) => id).filter(id => id !== null)
if (new Set(ids).size !== ids.length) faults.push('two answers have one request id')
for (let at = 0; at < ids.length; at += 20)
  await Promise.all(ids.slice(at, at + 20).map(expectInJournal))

const titles = new Map()
for (let page = 1; ; page++) {
  const issues = await getJson(
    `${sandbox}/repos/octo-org/hello-world/issues?state=all&per_page=100&page=${page}`,
    'sandbox-token',
  )
  for (const { title } of issues) titles.set(title, (titles.get(title) ?? 0) + 1)
  if (issues.length < 100) break
}
const created = calls.filter(({ title }) => title !== null)
for (const { title } of created)
  if (titles.get(title) !== 1) faults.push(`"${title}" was created ${titles.get(title) ?? 0} times`)

process.stdout.write(`${calls.length} calls, ${created.length} of them creates\n${faults.slice(0, 20).join('\n')}\n`)
process.exit(faults.length === 0 && created.length > 0 ? 0 : 1)

async function expectInJournal(id) {
  const { ok, data } = await getJson(`${url}/v1/requests/${id}`, key)
  if (!ok || data === null) faults.push(`the journal lacks ${id}`)
}

async function getJson(address, token) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  return await response.json()
}
