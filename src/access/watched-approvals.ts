import type { SpillFiles } from '../journal/spill-files.ts'
import { type OutageLog, OutageWatch } from '../lib/outage.ts'
import { endOf } from '../lib/within.ts'
import type { Approval, ApprovalDecision, Asked } from '../model/approval.ts'
import type {
  ApprovalFilter,
  ApprovalPage,
  ApprovalStore,
  KeptApproval,
} from '../state/approvals.ts'

export interface WatchedApprovalsOptions {
  readonly store: ApprovalStore
  /** Called after each change of an approval, whose record then waits in the database to be chained. */
  readonly onChange: () => void
  readonly outage: OutageLog
  /** Takes what could not be given back before the end; null: it stays used. */
  readonly spill: SpillFiles | null
}

const RETRY_MS = 1_000
/** The pause between tries during an outage: nobody may ask for an approval for hours. */
const TRIAL_MS = 2_000
/** How long the end waits for a database that is away. */
const CLOSING_MS = 3_000

/** The approvals of a running gateway: reports outages of their store, and gives approvals back when it is there again. */
export class WatchedApprovals implements ApprovalStore {
  readonly #store: ApprovalStore
  readonly #onChange: () => void
  readonly #outage: OutageWatch
  readonly #spill: SpillFiles | null
  /** The requests that have used an approval and changed nothing, by the approval. */
  readonly #unreturned = new Map<string, string>()
  #retry: NodeJS.Timeout | null = null
  #trial: NodeJS.Timeout | null = null
  #isClosed = false

  constructor({ store, onChange, outage, spill }: WatchedApprovalsOptions) {
    this.#store = store
    this.#onChange = onChange
    this.#outage = new OutageWatch(outage)
    this.#spill = spill
    void this.#restoreAll()
  }

  /** Approvals that are not given back yet, because the database was away. */
  get unreturned(): number {
    return this.#unreturned.size
  }

  find(id: string, now: number): Promise<KeptApproval | null> {
    return this.#read(this.#store.find(id, now))
  }

  list(filter: ApprovalFilter): Promise<ApprovalPage> {
    return this.#read(this.#store.list(filter))
  }

  waiting(now: number): Promise<number> {
    return this.#read(this.#store.waiting(now))
  }

  expire(now: number): Promise<void> {
    return this.#read(this.#store.expire(now))
  }

  tryToWrite(): Promise<void> {
    return this.#write(this.#store.tryToWrite())
  }

  ask(asked: Asked): Promise<Approval> {
    return this.#change(this.#store.ask(asked))
  }

  use(id: string, requestId: string, now: number): Promise<boolean> {
    return this.#change(this.#store.use(id, requestId, now))
  }

  decide(id: string, decision: ApprovalDecision): Promise<Approval | null> {
    return this.#change(this.#store.decide(id, decision))
  }

  /** Resolves after the first try, and retries in the background: the call has its answer. */
  async giveBack(id: string, requestId: string): Promise<void> {
    this.#unreturned.set(id, requestId)
    await this.#giveAllBack()
  }

  /** Tries once more to give back what is left, for a few seconds at most. Then it spills the rest. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#trial) clearTimeout(this.#trial)
    if (this.#retry) clearTimeout(this.#retry)
    await endOf(this.#giveAllBack(), CLOSING_MS)
    if (this.#retry) clearTimeout(this.#retry)
    const left = [...this.#unreturned].map(one => JSON.stringify(one))
    if (left.length > 0 && this.#spill?.save(left)) this.#unreturned.clear()
  }

  /** Gives back what earlier gateways spilled. In an outage, the trial that ends it tries again. */
  async #restoreAll(): Promise<void> {
    await this.#spill?.restore(lines => this.#restore(lines)).catch(() => {})
  }

  async #restore(lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      const [id, requestId] = JSON.parse(line) as [string, string]
      await this.#change(this.#store.giveBack(id, requestId))
    }
  }

  async #giveAllBack(): Promise<void> {
    try {
      for (const [id, requestId] of this.#unreturned) {
        await this.#change(this.#store.giveBack(id, requestId))
        this.#unreturned.delete(id)
      }
    } catch {
      this.#retry ??= setTimeout(() => {
        this.#retry = null
        void this.#giveAllBack()
      }, RETRY_MS).unref()
    }
  }

  async #change<T>(work: Promise<T>): Promise<T> {
    const result = await this.#write(work)
    this.#onChange()
    return result
  }

  async #write<T>(work: Promise<T>): Promise<T> {
    const result = await this.#read(work)
    this.#outage.works()
    return result
  }

  /** A read that works ends no outage: the table of a full disk can be read. */
  async #read<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#outage.failed(error)
      this.#tryLater()
      throw error
    }
  }

  #tryLater(): void {
    if (this.#isClosed) return
    this.#trial ??= setTimeout(() => {
      this.#trial = null
      // A failure leads to the next try.
      this.tryToWrite().then(
        () => this.#restoreAll(),
        () => {},
      )
    }, TRIAL_MS).unref()
  }
}
