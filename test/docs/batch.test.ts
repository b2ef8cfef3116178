import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { parseCurl } from './readme.ts'

test('the example of docs/batch.md is answered with what the page says', async () => {
  const page = readFileSync(new URL('../../docs/batch.md', import.meta.url), 'utf8')
  const [, command = '', answer = ''] = /```sh\n(.*?)```\s+```json\n(.*?)```/s.exec(page) ?? []
  await using gateway = await startTestGateway()
  const { method, url, headers, body } = parseCurl(command)
  const address = url.replace('http://127.0.0.1:8080', gateway.url)
  const response = await fetch(address, { method, headers, body })
  const said = JSON.parse(answer, (name, value) =>
    name === 'request_id' ? expect.stringMatching(/^01/) : value,
  )
  expect(await response.json()).toMatchObject(said)
})
