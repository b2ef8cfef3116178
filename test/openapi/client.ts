/** A program as somebody would write it with the generated types. It prints what it finds, as JSON. */
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/api.d.ts'

const [baseUrl = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })
const place = { owner: 'octo-org', name: 'hello-world' }

async function createIssue(title: string): Promise<number> {
  const { data, error } = await client.POST('/v1/capabilities/issue.create', {
    params: {
      query: { timeout_ms: 10_000, route: 'rest' },
      header: { 'Idempotency-Key': 'a-generated-client' },
    },
    body: { ...place, title },
  })
  if (error) throw new Error(`${error.error.code}: ${error.error.next.action}`)
  return data.data.number ?? 0
}

async function listTitles(): Promise<string[]> {
  const { data, error } = await client.POST('/v1/capabilities/issue.list', { body: place })
  return error ? [error.error.message] : data.data.items.map(({ title }) => title)
}

async function failure(): Promise<components['schemas']['Failure']['error'] | undefined> {
  const { error, response } = await client.POST('/v1/capabilities/repo.view', {
    body: { owner: 'octo-org', name: 'no-such-repository' },
  })
  return response.status === 404 ? error?.error : undefined
}

async function viewTwice() {
  const { data } = await client.POST('/v1/batch', {
    body: {
      calls: [
        { id: 'repo', capability: 'repo.view', input: place },
        {
          capability: 'repo.view',
          input: { ...place, name: { $from: 'repo', path: 'data.name' } },
        },
      ],
    },
  })
  return { status: data?.data.status, oks: data?.data.results.map(({ envelope }) => envelope.ok) }
}

async function findReads(): Promise<string[]> {
  const { data } = await client.GET('/v1/capabilities', {
    params: { query: { q: 'blame', effect: 'read', fields: 'id' } },
  })
  return data?.data.items.flatMap(({ id }) => id ?? []) ?? []
}

async function readJournal(): Promise<string[]> {
  const { data } = await client.GET('/v1/requests', { params: { query: { limit: '1' } } })
  const [row] = data?.data.items ?? []
  if (!row) return []
  const params = { path: { request_id: row.request_id } }
  const one = await client.GET('/v1/requests/{request_id}', { params })
  return one.data?.data.meta?.attempts.map(({ status }) => status) ?? []
}

const number = await createIssue('From a generated client')
const titles = await listTitles()
const error = await failure()
const results = {
  number,
  hasTitle: titles.includes('From a generated client'),
  code: error?.code,
  batch: await viewTwice(),
  found: (await findReads()).slice(0, 1),
  attempts: await readJournal(),
}
process.stdout.write(JSON.stringify(results))
