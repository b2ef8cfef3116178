import { SpillFiles } from '../journal/spill-files.ts'
import { canonicalJson } from '../lib/canonical.ts'
import type { AuditStore, NotedDecision } from '../state/audit.ts'

const AT_ONCE = 200
/** Decisions of one millisecond about one subject. */
const MOST_TWINS = 100

/** The decisions that gateways could not chain before their end, one line of JSON for each. The next start chains them. */
export class AuditSpill {
  readonly #files: SpillFiles

  /** @param place the names of the files begin with it */
  constructor(place: string) {
    this.#files = new SpillFiles(place)
  }

  /** @returns whether they are saved */
  save(decisions: readonly NotedDecision[]): boolean {
    return this.#files.save(decisions.map(decision => JSON.stringify(decision)))
  }

  /** Chains what earlier gateways saved. Rejects if the database fails; what is left then waits for the next time. */
  async restore(store: AuditStore): Promise<void> {
    await this.#files.restore(async lines => {
      const saved = lines.map(line => JSON.parse(line) as NotedDecision)
      for (let at = 0; at < saved.length; at += AT_ONCE) {
        const missing: NotedDecision[] = []
        for (const decision of saved.slice(at, at + AT_ONCE)) {
          if (!(await isChained(store, decision))) missing.push(decision)
        }
        if (missing.length > 0) await store.append(missing)
      }
    })
  }
}

/** A database that hung may have chained it in the end, and so may an earlier start that died. */
async function isChained(store: AuditStore, decision: NotedDecision): Promise<boolean> {
  const { action, actor, subject, time } = decision
  const filter = { action, actor, subject, since: time, until: time + 1 }
  const found = await store.read(filter, { direction: 'newer', from: 0, limit: MOST_TWINS })
  const facts = factsOf(decision)
  return found.some(record => factsOf(record) === facts)
}

function factsOf({ reason = null, details = {} }: Pick<NotedDecision, 'reason' | 'details'>) {
  return canonicalJson(JSON.parse(JSON.stringify([reason, details])))
}
