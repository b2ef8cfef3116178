import { RunningCalls } from '../../../routes/support/mcp-cancel.ts'
import type { ReloadCards } from '../../cards/reload.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Caller } from '../../model/caller.ts'
import { type Health, healthOf, mergeHealth } from '../../observe/health.ts'
import {
  type KnownUpstreams,
  knownUpstreams,
  mergeUpstreams,
} from '../../observe/merge-upstreams.ts'
import { createMetrics, type Metrics } from '../../observe/metrics.ts'
import { describeUpstreams, type UpstreamStatus } from '../../observe/upstream-status.ts'
import { broadcast, gather, type WorkerLink } from './link.ts'

/** The whole gateway as callers see it, whichever worker they ask. */
export interface View {
  readonly metrics: Pick<Metrics, 'contentType' | 'expose'>
  readonly health: () => Promise<Health>
  readonly describeUpstreams: (caller: Caller) => Promise<readonly UpstreamStatus[]>
  readonly running: RunningCalls
  readonly reload: ReloadCards
  /** Hands over what this worker has counted. Call it when its last call has ended. */
  readonly end: () => Promise<void>
}

type Seen = Engine & { readonly reload: ReloadCards }

export function openView(engine: Seen, link: WorkerLink | null): View {
  const metrics = createMetrics(engine)
  if (link !== null) return viewOfAll(engine, link, metrics)
  return {
    metrics,
    health: async () => healthOf(engine),
    describeUpstreams: caller => describeUpstreams(engine, caller),
    running: new RunningCalls(),
    reload: engine.reload,
    end: async () => {},
  }
}

function viewOfAll(engine: Seen, link: WorkerLink, metrics: Metrics): View {
  const { channel } = link
  const running = new RunningCalls(name => broadcast(link, 'mcp.cancel', name))
  channel.handle('mcp.cancel', (name: string) => running.cancel(name))
  channel.handle('health', () => healthOf(engine))
  channel.handle('upstreams', (caller: Asking) => knownUpstreams(engine, caller))
  channel.handle('metrics.samples', () => metrics.samples())
  return {
    metrics: {
      contentType: metrics.contentType,
      expose: async () => (await channel.ask('metrics')) as string,
    },
    health: async () => mergeHealth(await gather<Health>(link, 'health')),
    async describeUpstreams({ operator, credentials }) {
      const asking: Asking = { operator, ...(credentials && { credentials }) }
      const all = await gather<KnownUpstreams>(link, 'upstreams', asking)
      return mergeUpstreams(all.flatMap(({ answer }) => answer ?? []))
    },
    running,
    reload: reloadAll(engine, link),
    async end() {
      await channel.ask('metrics.last', await metrics.samples())
    },
  }
}

/** Loads the cards here, and then, if they have no faults, in the other workers. */
function reloadAll(engine: Seen, link: WorkerLink): ReloadCards {
  link.channel.handle('cards.reload', async (slot: number) => {
    if (slot !== link.slot) await engine.reload()
  })
  return async by => {
    const reloaded = await engine.reload(by)
    if (reloaded.ok) await gather(link, 'cards.reload', link.slot)
    return reloaded
  }
}

type Asking = Pick<Caller, 'operator' | 'credentials'>
