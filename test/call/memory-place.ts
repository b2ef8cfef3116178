import { rm } from 'node:fs/promises'
import type { SettingsFile } from '../../src/gateway/config.ts'
import {
  type ChangingService,
  openChangingService,
  writeChangingPack,
} from '../support/changing-service.ts'
import {
  type CallOptions,
  type CallResult,
  startTestGateway,
  type TestGateway,
} from '../support/gateway.ts'
import { redis } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'

let server: TestRedis | null = null

/** The stores that answers can be kept in, each by the settings of a new one. */
export const STORES = [
  ['memory', async (): Promise<SettingsFile> => ({}), true],
  [
    'Redis',
    async (): Promise<SettingsFile> => ({
      state: (server ??= await startRedis()).createDatabase(),
    }),
    redis.available,
  ],
] as const

export async function removeStores(): Promise<void> {
  await server?.remove()
  server = null
}

/** A gateway before a service whose every answer is new. */
export interface MemoryPlace extends AsyncDisposable {
  readonly service: ChangingService
  readonly gateway: TestGateway
  readonly pack: string
  /** Reads a part, by default one that is at most a minute old. */
  read(name: string, options?: CallOptions & { readonly id?: string }): Promise<CallResult>
  change(id: string, options?: CallOptions): Promise<CallResult>
  /** Whether memory answers the read now. */
  remembers(name: string, id?: string): Promise<boolean>
}

export const MINUTE = { max_age_ms: '60000' }

export async function openMemoryPlace(
  settings: SettingsFile,
  shared: Pick<MemoryPlace, 'service' | 'pack'> | null = null,
): Promise<MemoryPlace> {
  const service = shared?.service ?? (await openChangingService())
  const pack = shared?.pack ?? (await writeChangingPack(service))
  const gateway = await startTestGateway({
    settings: { packs: [], capabilities: [pack], ...settings },
  })
  return {
    service,
    gateway,
    pack,
    read: async (name, { id = 'part.view', query = MINUTE, ...more } = {}) =>
      await gateway.call(id, { name }, { query, ...more }),
    change: async (id, options) => await gateway.call(id, { name: 'changed' }, options),
    remembers: async (name, id = 'part.view') => {
      const headers = { 'cache-control': 'only-if-cached' }
      return (await gateway.call(id, { name }, { headers })).status === 200
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      if (shared !== null) return
      await service[Symbol.asyncDispose]()
      await rm(pack, { recursive: true })
    },
  }
}

export function isHit({ body }: CallResult): boolean {
  return body.meta.reason === 'CACHE_HIT'
}
