import { onTestFinished } from 'vitest'
import { Channel } from '../../../src/lib/channel.ts'
import { PrimaryStore, StoreServer } from '../../../src/state/local/store.ts'
import { Redis } from '../../../src/state/redis/redis.ts'
import type { SharedStore } from '../../../src/state/redis/store.ts'

/** State that several processes share. */
export interface SharedPlace {
  /** Connects one more process. `setUp` subscribes and adds work before the connection opens. */
  join<T>(setUp: (store: SharedStore) => T): Promise<T>
}

/** A Redis database, to which each process has a connection of its own. */
export function inRedis(url: string): SharedPlace {
  return {
    async join(setUp) {
      const redis = new Redis({ url, onLost: () => {}, onBack: () => {} })
      onTestFinished(() => redis.close())
      const made = setUp(redis)
      await redis.open()
      return made
    },
  }
}

/** The memory of a primary process, and workers that reach it by messages. */
export function inPrimary(maxKeptBytes: number): SharedPlace {
  const server = new StoreServer(maxKeptBytes)
  onTestFinished(() => server[Symbol.dispose]())
  return {
    async join(setUp) {
      const { near, far } = linked()
      onTestFinished(server.serve(far))
      const store = new PrimaryStore(near)
      const made = setUp(store)
      await store.open()
      return made
    },
  }
}

/** Two ends of a channel that copy each message, and deliver it later, as two processes do. */
export function linked(): { readonly near: Channel; readonly far: Channel } {
  const near: Channel = new Channel({ send: message => deliver(() => far, message) })
  const far: Channel = new Channel({ send: message => deliver(() => near, message) })
  return { near, far }
}

function deliver(to: () => Channel, message: unknown): void {
  const copy = structuredClone(message)
  setImmediate(() => to().receive(copy))
}
