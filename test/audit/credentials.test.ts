import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CredentialDecisions } from '../../src/access/credential-decisions.ts'
import type { Decision } from '../../src/model/audit.ts'
import { CredentialError, createCredential } from '../../src/model/credential.ts'
import { echoPack, READ_AND_WRITE } from '../credentials/service-pack.ts'
import { startTestGateway } from '../support/gateway.ts'
import { sendJson, startService } from '../support/service.ts'

test('another secret of a source and a source that fails are recorded, without the secret', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'audited-credentials-'))
  const file = join(directory, 'token')
  await writeFile(file, 'canary-one-0123456789')
  const service = await startService((_request, response) => sendJson(response, {}))
  const declared = `
schemes: { user: { type: bearer } }
credentials: { default: { user: { file: ${file} } } }
`
  const pack = await echoPack(service.url, declared, READ_AND_WRITE)
  const gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  onTestFinished(async () => {
    await gateway[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })
  const call = (text: string) => gateway.call('echo.view', { text })
  const records = async () => {
    const { body } = await gateway.get('/v1/audit')
    const items = body.data.items as { action: string; subject: string }[]
    return items.filter(({ action }) => action.startsWith('credential.'))
  }
  expect((await call('1')).body.ok).toBe(true)
  expect((await call('2')).body.ok).toBe(true)
  expect(await records()).toMatchObject([
    { action: 'credential.chosen', actor: 'local', subject: 'echo:default' },
  ])
  await writeFile(file, 'canary-two-0123456789')
  await expect
    .poll(async () => {
      await call('3')
      return (await records()).map(({ action }) => action)
    })
    .toEqual(['credential.renewed', 'credential.chosen'])
  await rm(file)
  await expect
    .poll(async () => {
      await call('4')
      return (await records()).map(({ action }) => action)
    })
    .toEqual(['credential.failed', 'credential.renewed', 'credential.chosen'])
  expect(JSON.stringify(await records())).not.toContain('canary')
})

test('a credential that fails at each call is a record a minute', () => {
  const decisions: Decision[] = []
  let now = 0
  const noted = new CredentialDecisions(
    decision => decisions.push(decision),
    () => now,
  )
  const fail = () => noted.failed('github:app', new CredentialError('AUTH', 'The key is revoked.'))
  for (let n = 0; n < 100; n++) fail()
  expect(decisions).toMatchObject([{ action: 'credential.failed', details: { code: 'AUTH' } }])
  now = 60_000
  fail()
  expect(decisions).toMatchObject([{}, { details: { more_before: 99 } }])
  for (const token of ['a', 'a', 'b', 'a']) {
    noted.opened('github:app', createCredential('github:app', { user: token }, [token]))
  }
  expect(decisions.slice(2)).toMatchObject([{ action: 'credential.renewed' }])
})
