import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { appCredentials } from '../support/app-gateway.ts'
import { githubEnv } from '../support/github.ts'
import { type AppOptions, installApp, keyPair, newKeyPair } from '../support/github-app.ts'
import { doctor } from './support/doctor.ts'
import { serve, temporaryDirectory } from './support/signalbox.ts'

// The test starts a whole process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }

async function openPlace(options: AppOptions = {}) {
  const directory = await temporaryDirectory()
  const sandbox = await createSandbox()
  onTestFinished(async () => {
    await sandbox.close()
    await directory[Symbol.asyncDispose]()
  })
  const installed = installApp(sandbox, options)
  const settings = join(directory.path, 'signalbox.yaml')
  const useKey = async (name: string, privateKey: string) => {
    const file = join(directory.path, name)
    await writeFile(file, privateKey)
    const credentials = { github: appCredentials(file) }
    await writeFile(settings, JSON.stringify({ credentials }))
  }
  const env = {
    ...githubEnv(sandbox.url),
    GITHUB_TOKEN: '',
    SIGNALBOX_CONFIG: settings,
    SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
    PORT: '0',
  }
  return { sandbox, env, useKey, ...installed }
}

describe('doctor says of an app', () => {
  const STATES: readonly (readonly [string, AppOptions, string, RegExp])[] = [
    ['that it works, and where', {}, keyPair().privateKey, /^ok .*octo-org/],
    ['that its key is that of another', {}, newKeyPair().privateKey, /^warn .*refuses the private/],
    ['that its key was deleted', { publicKeys: [] }, keyPair().privateKey, /^warn .*refuses the/],
    ['that it is installed nowhere', { on: [] }, keyPair().privateKey, /^warn .*not installed/],
  ]
  test.each(STATES)('%s', async (_, options, privateKey, says) => {
    const { env, useKey } = await openPlace(options)
    await useKey('app.pem', privateKey)
    const { of, code } = await doctor(env)
    expect(of('github credential')).toMatch(says)
    expect(of('github credential')).not.toContain('PRIVATE KEY')
    expect(code).toBe(0)
  })
})

test.each(['SIGHUP', 'the change of the file'])(
  'by %s, a running gateway takes another key of the app, and gives up the old token',
  async way => {
    const { sandbox, env, useKey, app } = await openPlace()
    await useKey('old.pem', keyPair().privateKey)
    const gateway = await serve(env)
    onTestFinished(() => gateway[Symbol.asyncDispose]())
    const call = async () => {
      const response = await fetch(`${gateway.url}/v1/capabilities/repo.view?route=rest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(REPO),
      })
      return ((await response.json()) as { error: { message: string } | null }).error?.message
    }
    const issued = () =>
      sandbox.log.rows().filter(({ path }) => path.endsWith('/access_tokens')).length
    expect([await call(), await call(), issued()]).toEqual([undefined, undefined, 1])

    const next = newKeyPair()
    app.publicKeys = [next.publicKey]
    await useKey('new.pem', next.privateKey)
    if (way === 'SIGHUP') gateway.signal('SIGHUP')
    await expect.poll(() => gateway.log(), { timeout: 10_000 }).toContain('cards reloaded')
    expect([await call(), issued()]).toEqual([undefined, 2])
    expect(gateway.log()).not.toContain('PRIVATE KEY')
  },
)
