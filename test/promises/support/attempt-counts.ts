/** The places that say how many attempts a request made. */
import type { Page } from 'playwright-core'
import type { RequestDetail } from '../../../src/journal/row-schemas.ts'
import type { TestGateway } from '../../support/gateway.ts'

type Headers = Record<string, string>

/** Counts on its own what the request made itself to serve the call. */
export function countedByHand({ meta, answer_from }: RequestDetail): number {
  // A gateway that stopped has left the one attempt that was in flight.
  if (meta === null) return 1
  if (answer_from?.borrowed) return 0
  return meta.attempts.filter(one => one.purpose !== 'verify' && one.status !== 'skipped').length
}

/** The numbers at the doors of the gateway. */
export async function countsAtDoors(
  gateway: TestGateway,
  id: string,
  headers: Headers,
): Promise<Record<string, number>> {
  const read = async (path: string) =>
    await (await fetch(`${gateway.url}${path}`, { headers })).text()
  const [list, detail, lines, table] = await Promise.all([
    read(`/v1/requests?q=${id}`),
    read(`/v1/requests/${id}`),
    read(`/v1/requests/export?q=${id}`),
    read(`/v1/requests/export?q=${id}&format=csv`),
  ])
  const rowOf = ({ data }: { data: { items: { request_id: string; attempts: number }[] } }) =>
    data.items.find(({ request_id }) => request_id === id)?.attempts ?? -1
  const items = lines
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return {
    list: rowOf(JSON.parse(list)),
    detail: JSON.parse(detail).data.attempts,
    'export as JSON lines': rowOf({ data: { items } }),
    'export as CSV': cellOf(table, id),
  }
}

/** The cell of a table whose cells up to it hold no comma. */
function cellOf(table: string, id: string): number {
  const [names = '', ...rows] = table.trim().split('\r\n')
  const row = rows.find(line => line.startsWith(id)) ?? ''
  return Number(row.split(',')[names.split(',').indexOf('attempts')])
}

/** The numbers on pages of the inspector. Leaves the browser on the page of the request. */
export async function countsOnPages(
  page: Page,
  origin: string,
  id: string,
): Promise<Record<string, number>> {
  await page.goto(`${origin}/inspector?q=${id}`)
  const row = page.locator('.requests tr.request', {
    has: page.locator(`a[href$="${id}"]`),
  })
  const listed = await row.locator('.attempts').textContent()
  await page.goto(`${origin}/inspector/compare?a=${id}&b=${id}`)
  const compared = await page
    .locator('.differences tr', { has: page.getByText('Attempts', { exact: true }) })
    .locator('td')
    .first()
    .textContent()
  await page.goto(`${origin}/inspector/requests/${id}`)
  await page.locator('article.request').waitFor()
  const fact = page.locator('.facts div', { has: page.getByText('Attempts', { exact: true }) })
  const head = await fact.locator('dd').textContent()
  const counts = { row: Number(listed), compare: Number(compared), facts: Number(head) }
  const lead = page.locator('section:has(> #attempts) .lead')
  if ((await lead.count()) === 0) return counts
  const text = (await lead.textContent()) ?? ''
  const told = text.includes('This one made none.') ? '0' : (/^\d+/.exec(text)?.[0] ?? '-1')
  return { ...counts, waterfall: Number(told) }
}
