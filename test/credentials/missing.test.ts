import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { doctor, goodSetup } from '../commands/support/doctor.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { echoPack } from './service-pack.ts'

const DECLARED = `
schemes:
  key: { type: header, name: X-Api-Key }
  login: { type: basic }
credentials:
  default:
    key: { env: ECHO_KEY }
    login: { username: { env: ECHO_USER }, password: { file: password } }
needs: [key, login]
`

test('check notes the secrets that are missing on this machine, and is content', async () => {
  const pack = await echoPack('http://127.0.0.1:1', DECLARED)
  const lacking = await signalbox(['check', '--strict', pack], { ECHO_USER: 'ann' })
  expect(lacking.stderr).toBe(
    'note: No credential for echo: key of default. Give the gateway a credential: set ECHO_KEY where the gateway runs.\n',
  )
  expect(lacking).toMatchObject({ code: 0, stdout: '1 capability, 0 problems\n' })
  const whole = await signalbox(['check', pack], { ECHO_USER: 'ann', ECHO_KEY: 'k' })
  expect(whole).toMatchObject({ code: 0, stderr: '' })
})

test('doctor takes a secret from each source, and says which one fails', async () => {
  const { env, service } = await goodSetup()
  const pack = await echoPack(service.url, DECLARED)
  const own = { ...env, ECHO_USER: 'ann' }
  const before = await doctor(own, { capabilities: [pack] })
  expect(before.of('echo credential').split('\n')).toEqual([
    'warn ECHO_KEY is not set (default.key) — Give the gateway a credential: set ECHO_KEY where the gateway runs.',
    'ok ECHO_USER is set (default.login.username); doctor does not try it out',
    'warn password cannot be read (ENOENT) (default.login.password) — Mend this source, or name another one under credentials in upstream.yaml.',
  ])
  await writeFile(join(pack, 'password'), 'secret-of-a-file')
  const after = await doctor({ ...own, ECHO_KEY: 'secret-key' }, { capabilities: [pack] })
  expect(after.of('echo credential')).not.toMatch(/warn|secret-/)
  expect(after.of('echo credential')).toContain('password has a secret')
})
