import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { SettingsFile } from '../../src/gateway/config.ts'
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'
import { APP_ID, type AppOptions, type InstalledApp, installApp, keyPair } from './github-app.ts'

export interface AppSetup extends TestGatewayOptions, AppOptions {
  /** More members of `github_app`. */
  readonly declared?: Readonly<Record<string, unknown>>
  readonly privateKey?: string
  readonly tokenLifeMs?: number
}

export interface AppGateway extends InstalledApp {
  readonly gateway: TestGateway
  /** The file of the private key. */
  readonly keyFile: string
  /** The requests for tokens that reached GitHub. */
  readonly renewals: () => number
}

/** A gateway whose calls to GitHub use an app, with the app on its sandbox. Ends with the test. */
export async function startWithApp({
  declared = {},
  privateKey = keyPair().privateKey,
  tokenLifeMs,
  settings = {},
  on,
  permissions,
  publicKeys,
  ...options
}: AppSetup = {}): Promise<AppGateway> {
  const directory = await mkdtemp(join(tmpdir(), 'sb-app-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const keyFile = join(directory, 'app.pem')
  await writeFile(keyFile, privateKey)
  const gateway = await startTestGateway({
    ...options,
    settings: { ...settings, credentials: { github: appCredentials(keyFile, declared) } },
  })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  const { store, log } = gateway.sandbox
  store.apps.tokenLifeMs = tokenLifeMs ?? store.apps.tokenLifeMs
  const installed = installApp(gateway.sandbox, {
    ...(on && { on }),
    ...(permissions && { permissions }),
    ...(publicKeys && { publicKeys }),
  })
  const renewals = () => log.rows().filter(({ path }) => path.endsWith('/access_tokens')).length
  return { gateway, keyFile, renewals, ...installed }
}

export function appCredentials(keyFile: string, declared: Readonly<Record<string, unknown>> = {}) {
  const app = { app_id: APP_ID, private_key: { file: keyFile }, ...declared }
  return { default: { github_app: app } } satisfies NonNullable<SettingsFile['credentials']>[string]
}
