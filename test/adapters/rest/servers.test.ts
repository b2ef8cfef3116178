import { expect, onTestFinished, test } from 'vitest'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { sendJson, startService } from '../../support/service.ts'

const credential = tokenCredential('secret-token-0123456789')

async function start() {
  const main = await startService((_, response) => sendJson(response, { at: 'main' }))
  const files = await startService((_, response) => sendJson(response, { at: 'files' }))
  const connection = connect(createRestAdapter(), {
    base_url: main.url,
    servers: { files: `${files.url}/v2/`, same: `${main.url}/v3` },
    headers: { authorization: 'Bearer ${credential}' },
  })
  onTestFinished(() => connection.close())
  const compile = (card: object) =>
    connection.compile({ method: 'GET', path: '/a', ...card }, testCompiler())
  const call = (card: object) =>
    compile(card).call({ input: {} }, { ...callContext('read'), credential })
  return { main, files, call, compile }
}

test('a card may use another server of its upstream, with the same headers', async () => {
  const { main, files, call } = await start()
  expect(await call({ server: 'files' })).toMatchObject({ body: { at: 'files' } })
  expect(await call({ server: 'same' })).toMatchObject({ body: { at: 'main' } })
  expect(await call({})).toMatchObject({ body: { at: 'main' } })
  expect(files.lines()).toEqual(['GET /v2/a'])
  expect(files.received[0]?.headers.authorization).toBe(`Bearer ${credential.token}`)
  expect(main.lines()).toEqual(['GET /v3/a', 'GET /a'])
})

test('a server that the upstream does not have is a fault of the card', async () => {
  const { compile } = await start()
  expect(() => compile({ server: 'other' })).toThrow(
    /names "other", which is no server.*Use one of files, same/,
  )
})
