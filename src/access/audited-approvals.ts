import type { ApprovalStore } from '../state/approvals.ts'

/** Calls `changed` after each change of an approval, whose record then waits in the database to be chained. */
export function auditApprovals(store: ApprovalStore, changed: () => void): ApprovalStore {
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    changed()
    return result
  }
  return {
    find: (id, now) => store.find(id, now),
    list: filter => store.list(filter),
    waiting: now => store.waiting(now),
    expire: now => store.expire(now),
    ask: asked => after(store.ask(asked)),
    use: (id, requestId, now) => after(store.use(id, requestId, now)),
    giveBack: (id, requestId) => after(store.giveBack(id, requestId)),
    decide: (id, decision) => after(store.decide(id, decision)),
  }
}
